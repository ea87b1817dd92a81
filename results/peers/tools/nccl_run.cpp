// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/nccl_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "harness/core/statistics/statistics.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/tools/nccl_operations.hpp"
#include "results/peers/tools/nccl_ranks.hpp"

namespace assay::results::peers {
namespace {

struct NamedType {
  std::string_view tool, ours;
};
constexpr std::array nccl_types{
    NamedType{"float", "fp32"},      NamedType{"half", "fp16"},         NamedType{"bfloat16", "bf16"},
    NamedType{"double", "fp64"},     NamedType{"f8e4m3", "fp8_e4m3"},   NamedType{"fp8_e4m3", "fp8_e4m3"},
    NamedType{"f8e5m2", "fp8_e5m2"}, NamedType{"fp8_e5m2", "fp8_e5m2"}, NamedType{"int8", "int8"},
    NamedType{"int32", "int32"},     NamedType{"int64", "int64"},
};

std::string_view dtype_of(std::string_view type) {
  const auto* const found = std::ranges::find(nccl_types, type, &NamedType::tool);
  return found == nccl_types.end() ? std::string_view() : found->ours;
}

std::string launch_of(const NcclRun& run) {
  if (run.graph > 0) return "graph";
  if (run.aggregated > 1) return "group";
  return run.blocking ? "blocking" : "stream";
}

std::size_t processes_of(const NcclRun& run) {
  std::set<std::string> processes;
  for (const NcclDevice& device : run.devices) processes.insert(device.host + " " + device.process);
  return processes.size();
}

std::vector<std::string> hosts_of(const NcclRun& run) {
  std::vector<std::string> hosts;
  for (const NcclDevice& device : run.devices)
    if (std::ranges::find(hosts, device.host) == hosts.end()) hosts.push_back(device.host);
  return hosts;
}

std::string mean_of(const NcclRun& run) {
  if (processes_of(run) == 1 && !run.devices_left_out)
    return run.threads > 1 ? "mean over iterations and threads" : "mean over iterations, of the slowest GPU";
  return run.mean_among_processes.empty() ? "mean over iterations and processes"
                                          : "mean over iterations, " + run.mean_among_processes;
}

std::string median_of(std::int64_t skipped) {
  return "median over iterations of the slowest process, the first " +
         (skipped == 1 ? std::string() : std::to_string(skipped) + " ") + "left out";
}

Fields conditions_of(const NcclRun& run) {
  Fields conditions = run.conditions;
  if (!run.nccl_version.empty()) conditions.emplace_back("nccl_version", run.nccl_version);
  conditions.emplace_back(condition::warmup_iterations, run.warmups);
  conditions.emplace_back(condition::threads_per_process, run.threads);
  conditions.emplace_back(condition::gpus_per_thread, run.gpus);
  if (run.aggregated > 1) conditions.emplace_back(condition::aggregated_iterations, run.aggregated);
  if (run.graph > 0) conditions.emplace_back(condition::graph_launches, run.graph);
  if (!run.devices.empty()) conditions.emplace_back(condition::gpu_name, run.devices.front().name);
  conditions.emplace_back(condition::checked, std::string(run.validated ? "yes" : "no"));
  return conditions;
}

/// All that points of a run have in common.
PeerPoint outline_of(const NcclRun& run, const NcclOperation& operation) {
  PeerPoint point;
  const std::vector<std::string> hosts = hosts_of(run);
  if (!hosts.empty()) point.host = hosts.front();
  if (hosts.size() > 1) point.hosts = hosts;
  point.case_name = std::string(operation.ours);
  point.axes.emplace_back("launch", launch_of(run));
  point.axes.insert(point.axes.end(), run.axes.begin(), run.axes.end());
  point.metric = "time_us";
  point.unit = "us";
  point.conditions = conditions_of(run);
  point.started = run.started;
  return point;
}

class NcclPoints {
 public:
  NcclPoints(const NcclRun& run, const NcclOperation& operation, Findings& findings)
      : run_(run), operation_(operation), findings_(findings), outline_(outline_of(run, operation)) {
    const NcclRanks ranks = ranks_of(run);
    outline_.ranks = ranks.ranks;
    if (ranks.groups > 1) outline_.conditions.emplace_back(condition::groups_at_once, ranks.groups);
    ranks_fault_ = ranks.fault;
    if (ranks.derived) add_doubt(findings.doubts, {DoubtKind::ranks_derived, ranks.detail});
    if (!ranks.ranks) add_doubt(findings.doubts, {DoubtKind::ranks_unknown});
  }

  void add(const NcclRow& row) {
    if (row.bytes == 0)
      return add_doubt(findings_.doubts, {DoubtKind::unparsed_lines, "rows of 0 bytes move nothing"});
    const std::string_view dtype = dtype_of(row.type);
    if (dtype.empty()) return refuse(row, "assay has no data type '" + row.type + "'");
    const bool has_operator = operation_.reduces;
    if (has_operator && row.redop == "mulsum") return refuse(row, "assay has no operator 'mulsum'");
    for (const NcclHalf& half : row.halves) {
      PeerPoint point = outline_;
      point.line = row.line;
      if (!row.started.empty()) point.started = row.started;
      point.axes.emplace_back("bytes", row.bytes);
      point.axes.emplace_back("dtype", std::string(dtype));
      if (has_operator && !row.redop.empty()) point.axes.emplace_back("operator", row.redop);
      point.axes.emplace_back("in_place", std::int64_t{half.in_place});
      if (const auto root = whole_number(trimmed(row.root)); operation_.rooted && root && *root >= 0)
        point.axes.emplace_back("root", *root);
      if (const std::string fault = fault_of(row, half); !fault.empty()) {
        refuse(row, fault);
        continue;
      }
      put_numbers(point, row, half);
      findings_.points.push_back(std::move(point));
    }
  }

 private:
  void refuse(const NcclRow& row, const std::string& why) { findings_.refusals.push_back({row.line, why}); }

  /// "" where size, time and rates agree.
  std::string fault_of(const NcclRow& row, const NcclHalf& half) const {
    if (!half.time || !half.algbw || !half.busbw || !(half.time->value > 0)) return "";
    const PrintedNumber rate = quotient({static_cast<double>(row.bytes) * 1e-3, 0}, *half.time);
    constexpr double rounding_of_tool = 1e-4;
    if (!half.is_launch_time && !may_be_equal(rate, *half.algbw, rounding_of_tool))
      return "size " + std::to_string(row.bytes) +
             " over time is not the printed algbw: the row was left out";
    return ranks_fault_;
  }

  void put_numbers(PeerPoint& point, const NcclRow& row, const NcclHalf& half) {
    const bool measured = half.time && half.algbw && half.busbw;
    if (!measured) {
      point.status = Status::failed;
      point.reason = "inf or nan in place of a number";
      return;
    }
    point.executions = row.iterations.value_or(run_.iterations);
    point.statistic = mean_of(run_);
    double algbw = half.algbw->value, busbw = half.busbw->value;
    if (!half.samples_us.empty()) {
      point.samples = half.samples_us;
      point.n = static_cast<std::int64_t>(half.samples_us.size());
      point.value = core::quantile_of(half.samples_us, 0.5);
      point.statistic = median_of(half.skipped);
      point.executions.reset();
      const double factor = algbw > 0 ? busbw / algbw : 0;
      algbw = static_cast<double>(row.bytes) * 1e-3 / *point.value;
      busbw = algbw * factor;
    } else if (half.is_launch_time) {
      add_doubt(point.doubts, {DoubtKind::cpu_time, "the time is left out, the rates are of the operation"});
    } else {
      point.value = half.time->value;
    }
    point.metrics = {{"algbw_gb_per_s", "GB/s", algbw}, {"busbw_gb_per_s", "GB/s", busbw}};
    if (!half.samples_us.empty() && !half.is_launch_time)
      point.metrics.push_back({metric::tool_mean_us, "us", half.time->value});
    point.metrics.insert(point.metrics.end(), half.metrics.begin(), half.metrics.end());
    put_verification(point, half);
  }

  void put_verification(PeerPoint& point, const NcclHalf& half) {
    if (!half.wrong || !run_.validated) return;
    point.verification = *half.wrong > 0 ? Verification::Result::wrong : Verification::Result::right;
    if (!(*half.wrong > 0)) return;
    point.status = Status::wrong;
    point.reason = "wrong elements found by the tool";
    add_doubt(findings_.doubts, {DoubtKind::wrong_results});
  }

  const NcclRun& run_;
  const NcclOperation& operation_;
  Findings& findings_;
  PeerPoint outline_;
  std::string ranks_fault_;
};

}  // namespace

bool find_nccl_operation(NcclRun& run, const PathFacts& path, Findings& findings) {
  if (known_nccl_operation(run.operation)) return true;
  if (!run.operation.empty()) return false;
  if (!run.command_operation.empty()) {
    run.operation = run.command_operation;
    add_doubt(findings.doubts, {DoubtKind::operation_from_command, run.operation});
    return true;
  }
  const std::string_view file = std::string_view(path.path).substr(path.path.find_last_of('/') + 1);
  for (const std::string_view words : {std::string_view(path.operation), file, std::string_view(path.path)})
    if (run.operation.empty()) run.operation = nccl_operation_in(words);
  if (run.operation.empty()) return false;
  add_doubt(findings.doubts, {DoubtKind::operation_from_path, run.operation});
  return true;
}

void add_nccl_points(const NcclRun& run, Findings& findings) {
  NcclPoints points(run, *known_nccl_operation(run.operation), findings);
  for (const NcclRow& row : run.rows) points.add(row);
}

void add_nccl_failure(const NcclRun& run, long line, std::string_view reason, Findings& findings) {
  PeerPoint point = outline_of(run, *known_nccl_operation(run.operation));
  point.ranks = ranks_of(run).ranks;
  point.status = reason.find("timeout") == std::string_view::npos ? Status::failed : Status::timeout;
  point.reason = std::string(reason);
  point.line = line;
  findings.points.push_back(std::move(point));
}

}  // namespace assay::results::peers
