// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names that modules write into records and results read: metrics and conditions. Each is a constant, so that
// a new name changes both sides; scripts/check-record-names refuses one that a side no longer uses.
#pragma once

#include <string_view>

namespace assay::core::names {

// Metrics.
inline constexpr const char* aggressor_gb_per_s = "aggressor_gb_per_s";
inline constexpr const char* algbw_gb_per_s = "algbw_gb_per_s";
inline constexpr const char* alone_worst_gb_per_s = "alone_worst_gb_per_s";
inline constexpr const char* arrival_skew_us = "arrival_skew_us";
inline constexpr const char* bandwidth_gb_per_s = "bandwidth_gb_per_s";
inline constexpr const char* busbw_gb_per_s = "busbw_gb_per_s";
inline constexpr const char* bytes_leaving =
    "bytes_leaving";  // bytes_leaving_zone: all groups of that tier together
inline constexpr const char* ceiling_gbit_per_s = "ceiling_gbit_per_s";
inline constexpr const char* communication_only_us = "communication_only_us";
inline constexpr const char* compute_only_us = "compute_only_us";
inline constexpr const char* cpu_s_per_gb = "cpu_s_per_gb";  // of the processes at all ends
inline constexpr const char* deviation_percent = "deviation_percent";
inline constexpr const char* energy_j = "energy_j";
inline constexpr const char* hiding_in_gb_per_s = "hiding_in_gb_per_s";
inline constexpr const char* host_posting_us = "host_posting_us";
inline constexpr const char* host_taking_us = "host_taking_us";
inline constexpr const char* ideal_us = "ideal_us";
inline constexpr const char* interference_us = "interference_us";
inline constexpr const char* joules_per_tflop = "joules_per_tflop";
inline constexpr const char* latency_ns = "latency_ns";
inline constexpr const char* latency_us = "latency_us";
inline constexpr const char* least_bytes_leaving =
    "least_bytes_leaving";  // the same, which no placement goes below
inline constexpr const char* median_flow_gb_per_s = "median_flow_gb_per_s";
inline constexpr const char* message_rate_m_per_s = "message_rate_m_per_s";
inline constexpr const char* overlap_efficiency = "overlap_efficiency";
inline constexpr const char* percent_of_ceiling = "percent_of_ceiling";
inline constexpr const char* percent_of_even = "percent_of_even";
inline constexpr const char* port_gbit_per_s = "port_gbit_per_s";
inline constexpr const char* duty_percent = "duty_percent";
inline constexpr const char* power_w = "power_w";
inline constexpr const char* predicted_tail_wave_slowdown = "predicted_tail_wave_slowdown";
inline constexpr const char* predicted_us = "predicted_us";
inline constexpr const char* reached_in_gb_per_s = "reached_in_gb_per_s";
inline constexpr const char* reached_out_gb_per_s = "reached_out_gb_per_s";
inline constexpr const char* slowdown = "slowdown";
inline constexpr const char* slowdown_beyond_spinning = "slowdown_beyond_spinning";
inline constexpr const char* slowdown_of_spinning = "slowdown_of_spinning";
inline constexpr const char* slowest_flow_gb_per_s = "slowest_flow_gb_per_s";
inline constexpr const char* sustained_in_gb_per_s = "sustained_in_gb_per_s";
inline constexpr const char* sustained_sm_clock_mhz = "sustained_sm_clock_mhz";
inline constexpr const char* tflops = "tflops";
inline constexpr const char* time_us = "time_us";
inline constexpr const char* transfer_only_us = "transfer_only_us";
inline constexpr const char* uplink_over_mean =
    "uplink_over_mean";  // uplink_over_mean_3: bytes over the mean of its tier
inline constexpr const char* uplinks_max_over_mean = "uplinks_max_over_mean";
inline constexpr const char* verified_bytes = "verified_bytes";
inline constexpr const char* victim_latency_us = "victim_latency_us";
inline constexpr const char* victim_max_latency_us = "victim_max_latency_us";
inline constexpr const char* victim_messages = "victim_messages";
inline constexpr const char* victim_p99_latency_us = "victim_p99_latency_us";
inline constexpr const char* worst_gb_per_s = "worst_gb_per_s";
inline constexpr const char* wrong_elements = "wrong_elements";

// Conditions and derived values.
inline constexpr const char* workload_cases = "collectives.workload.";  // whole steps, no collective alone
inline constexpr const char* aggressor_ran_dry = "aggressor_ran_dry";
inline constexpr const char* basis =
    "basis";  // of what was simulated: rules of sharing, their known errors, what was assumed; a line each
// The form of a burn-in's findings in a journal: points of a case of this name.
inline constexpr const char* burn_in_health = "burn_in.health";
inline constexpr const char* cache_state = "cache_state";
inline constexpr const char* commit_s = "commit_s";
inline constexpr const char* latest_rank = "latest_rank";              // began last most often
inline constexpr const char* latest_rank_share = "latest_rank_share";  // in so many of the iterations
inline constexpr const char* leaves = "leaves";                        // of the fabric
inline constexpr const char* operation_text = "operation_text";
inline constexpr const char* passes = "passes";
inline constexpr const char* detection = "detection";
inline constexpr const char* first_ranks = "first:";  // begins a value of `groups`
inline constexpr const char* gid = "gid";             // "10.1.0.7 (RoCE v2, index 3)"
inline constexpr const char* gpu_name = "gpu_name";
inline constexpr const char* gpu_pci_address = "gpu_pci_address";
inline constexpr const char* sm_count = "sm_count";
inline constexpr const char* host = "host";
inline constexpr const char* link_ceiling_gb_per_s = "link_ceiling_gb_per_s";
inline constexpr const char* lost_s_per_gb = "lost_s_per_gb";
inline constexpr const char* mhz_together = "mhz_together";  // of a GPU of several, while all work
inline constexpr const char* nccl_algorithm = "nccl_algorithm";
inline constexpr const char* nccl_channels = "nccl_channels";
inline constexpr const char* nccl_protocol = "nccl_protocol";
inline constexpr const char* nccl_version = "nccl_version";
inline constexpr const char* nodes = "nodes";
inline constexpr const char* not_a_performance_measurement = "not_a_performance_measurement";
inline constexpr const char* nvml_sm_clock_max_mhz = "nvml_sm_clock_max_mhz";
inline constexpr const char* nvml_sm_clock_min_mhz = "nvml_sm_clock_min_mhz";
inline constexpr const char* pairs_apart = "pairs_apart";  // "yes": each flow's rate is of its link alone
inline constexpr const char* path = "path";
inline constexpr const char* power_by = "power_by";              // the sensor that power_w is from
inline constexpr const char* power_left_out = "power_left_out";  // why a record has no power_w
inline constexpr const char* rail = "rail";
inline constexpr const char* rank_mean_avg_us = "rank_mean_avg_us";  // over ranks, of each one's mean
inline constexpr const char* rank_mean_max_us = "rank_mean_max_us";
inline constexpr const char* rank_mean_min_us = "rank_mean_min_us";
inline constexpr const char* rank_run = ".rank";  // "r7.rank3": the run of rank 3's own journal
inline constexpr const char* ranks = "ranks";
inline constexpr const char* restore_gb_per_s = "restore_gb_per_s";
inline constexpr const char* save_gb_per_s = "save_gb_per_s";
inline constexpr const char* seed = "seed";
inline constexpr const char* sm_clock_mhz = "sm_clock_mhz";  // a signal of the warm-up, as power_w is
inline constexpr const char* steps_alike = "steps_alike";
inline constexpr const char* straggler_blocks = "straggler_blocks";    // that were searched for a late rank
inline constexpr const char* straggler_host = "straggler_host";        // of straggler_rank
inline constexpr const char* straggler_late_us = "straggler_late_us";  // behind the median rank
inline constexpr const char* straggler_rank = "straggler_rank";        // absent: none, or not searched
inline constexpr const char* stream = "stream";
inline constexpr const char* telemetry_window_s = "telemetry_window_s";
inline constexpr const char* temperature_max_c = "temperature_max_c";
inline constexpr const char* tflops_alone = "tflops_alone";        // of a GPU of several: gpu3_tflops_alone
inline constexpr const char* tflops_together = "tflops_together";  // the same, while all work

}  // namespace assay::core::names

namespace assay::core {

/// True for modules that measure between several processes, which a launcher may start.
constexpr bool takes_ranks(std::string_view module) { return module == "rdma" || module == "collectives"; }

}  // namespace assay::core
