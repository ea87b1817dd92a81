// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/metrics.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "harness/core/version.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/link/counter_table.hpp"
#include "results/judge/verdict/exposition.hpp"

namespace assay::health {
namespace {

using results::MetricFamily;
using results::MetricLabels;
using results::MetricType;

constexpr double ns_per_s = 1e9;

MetricLabels labels_of(const Snapshot& now, const GpuState& gpu) {
  return {{"node", now.host}, {"gpu", std::to_string(gpu.index)}, {"serial", gpu.serial.value_or("")}};
}

MetricLabels with(MetricLabels labels, std::string_view name, std::string value) {
  labels.emplace_back(name, std::move(value));
  return labels;
}

/// Links of a GPU are units too: "GPU 3 0000:4b:00.0 NVLink 2".
const GpuState* gpu_of(const Snapshot& now, const std::string& unit) {
  const auto found = std::ranges::find_if(now.gpus, [&](const GpuState& gpu) {
    return unit == gpu.unit() || unit.starts_with(gpu.unit() + " ");
  });
  return found == now.gpus.end() ? nullptr : &*found;
}

/// The code of a status that was looked at; nothing for an excused finding.
std::optional<double> code_of(Status status) {
  if (is_excused(status)) return std::nullopt;
  return status == Status::passed ? 0
                                  : static_cast<double>(status) - static_cast<double>(Status::noticed) + 1;
}

std::string finding_metrics(const Snapshot& now, const std::vector<Finding>& findings) {
  MetricFamily count("assay_check_findings", MetricType::gauge, "Findings of the last check, by status.");
  MetricFamily status("assay_check_status", MetricType::gauge,
                      "Worst finding of a check on a unit: 0 passed, 1 noticed, 2 unknown, 3 failed.");
  std::map<Status, double> found;
  for (const Status one : {Status::passed, Status::noticed, Status::unknown, Status::failed}) found[one] = 0;
  for (const Finding& finding : findings) {
    ++found[finding.status];
    const GpuState* gpu = gpu_of(now, finding.unit);
    if (const auto code = code_of(finding.status))
      status.add({{"node", now.host},
                  {"check", finding.check},
                  {"unit", finding.unit.empty() ? "host" : finding.unit},
                  {"gpu", gpu == nullptr ? "" : std::to_string(gpu->index)},
                  {"serial", gpu == nullptr ? "" : gpu->serial.value_or("")}},
                 *code);
  }
  for (const auto& [one, times] : found)
    count.add(with({{"node", now.host}}, "status", std::string(to_string(one))), times);
  return count.text() + status.text();
}

std::string check_metrics(const Snapshot& now, const std::vector<Finding>& findings,
                          const CheckMoment& moment) {
  const MetricLabels node{{"node", now.host}};
  MetricFamily info("assay_check_info", MetricType::gauge,
                    "1; version of assay, kernel, and where the values come from.");
  info.add({{"node", now.host},
            {"version", core::version()},
            {"kernel", now.kernel_release},
            {"origin", moment.origin}},
           1);
  MetricFamily time("assay_check_timestamp_seconds", MetricType::gauge,
                    "When the last check ended, since 1970 (UTC).");
  time.add(node, moment.unix_s);
  MetricFamily duration("assay_check_duration_seconds", MetricType::gauge, "How long the last check took.");
  duration.add(node, moment.duration_s);
  MetricFamily verdict("assay_check_verdict", MetricType::gauge,
                       fmt::format("Verdict of the last check: {}.", results::verdict_codes));
  verdict.add(node, static_cast<double>(verdicts_of(findings).verdict));
  return info.text() + time.text() + duration.text() + verdict.text();
}

std::string gpu_metrics(const Snapshot& now) {
  MetricFamily seen("assay_gpus", MetricType::gauge, "GPUs, as the driver and as the PCI bus list them.");
  seen.add({{"node", now.host}, {"seen_by", "driver"}}, static_cast<double>(now.gpus.size()));
  if (now.pci_seen)
    seen.add({{"node", now.host}, {"seen_by", "pci"}}, static_cast<double>(now.pci_gpus.size()));
  MetricFamily info("assay_gpu_info", MetricType::gauge, "1; which GPU is where.");
  MetricFamily power("assay_gpu_power_limit_watts", MetricType::gauge, "Power limit of the GPU.");
  MetricFamily rows("assay_gpu_remapped_rows", MetricType::gauge,
                    "Memory rows replaced over the board's life, by the errors that asked for it.");
  MetricFamily links("assay_gpu_nvlinks_active", MetricType::gauge, "NVLinks that are active.");
  for (const GpuState& gpu : now.gpus) {
    const MetricLabels labels = labels_of(now, gpu);
    MetricLabels of_board = with(labels, "address", gpu.address.value_or(""));
    of_board.emplace_back("uuid", gpu.uuid.value_or(""));
    of_board.emplace_back("name", gpu.name.value_or(""));
    of_board.emplace_back("vbios", gpu.vbios.value_or(""));
    info.add(of_board, 1);
    if (gpu.power_limit_w) power.add(labels, *gpu.power_limit_w);
    if (gpu.remapped_rows) {
      rows.add(with(labels, "errors", "corrected"), gpu.remapped_rows->corrected);
      rows.add(with(labels, "errors", "uncorrected"), gpu.remapped_rows->uncorrected);
    }
    if (gpu.nvlinks)
      links.add(labels, static_cast<double>(std::ranges::count_if(*gpu.nvlinks, &machine::Nvlink::active)));
  }
  return seen.text() + info.text() + power.text() + rows.text() + links.text();
}

/// A counter of a GPU in Snapshot: the series that it becomes.
struct GpuSeries {
  std::string_view counter, label, value;
  double per_unit = 1;  // of the counter in one base unit
};

std::string series_text(const Snapshot& now, MetricFamily family, std::span<const GpuSeries> table) {
  for (const Counter& counter : now.counters) {
    const GpuState* gpu = gpu_of(now, counter.unit);
    const auto series = std::ranges::find(table, counter.name, &GpuSeries::counter);
    if (gpu == nullptr || series == table.end() || !counter.value) continue;
    MetricLabels labels = labels_of(now, *gpu);
    if (!series->label.empty()) labels.emplace_back(series->label, std::string(series->value));
    family.add(labels, static_cast<double>(*counter.value) / series->per_unit);
  }
  return family.text();
}

std::string gpu_counters(const Snapshot& now) {
  constexpr std::array loaded{GpuSeries{"ecc_corrected", "errors", "corrected"},
                              GpuSeries{"ecc_uncorrected", "errors", "uncorrected"}};
  constexpr std::array lifetime{GpuSeries{"ecc_corrected_lifetime", "errors", "corrected"},
                                GpuSeries{"ecc_uncorrected_lifetime", "errors", "uncorrected"}};
  constexpr std::array replays{GpuSeries{"pcie_replays", "", ""}};
  constexpr std::array throttled{GpuSeries{"throttled_sw_thermal_ns", "cause", "sw_thermal", ns_per_s},
                                 GpuSeries{"throttled_hw_thermal_ns", "cause", "hw_thermal", ns_per_s},
                                 GpuSeries{"throttled_power_brake_ns", "cause", "power_brake", ns_per_s}};
  const auto text = [&](std::string_view name, std::string_view help, std::span<const GpuSeries> table) {
    return series_text(now, MetricFamily(name, MetricType::counter, help), table);
  };
  return text("assay_gpu_ecc_errors_total", "Memory errors since the driver was loaded.", loaded) +
         text("assay_gpu_ecc_lifetime_errors_total", "Memory errors over the board's life.", lifetime) +
         text("assay_gpu_pcie_replays_total", "PCIe replays since the driver was loaded.", replays) +
         text("assay_gpu_throttled_seconds_total", "Time for which the clocks were held down, by cause.",
              throttled);
}

std::string port_metrics(const Snapshot& now) {
  MetricFamily info("assay_port_info", MetricType::gauge, "1; state and kind of an adapter's port.");
  for (const machine::Hca& hca : now.hcas)
    info.add({{"node", now.host},
              {"device", hca.device},
              {"port", std::to_string(hca.port)},
              {"state", hca.state},
              {"rate", hca.rate},
              {"link_layer", hca.link_layer},
              {"firmware", hca.firmware},
              {"guid", hca.node_guid}},
             1);
  MetricFamily counters("assay_port_events_total", MetricType::counter,
                        "Counter of an adapter's port as the kernel names it, in the kernel's units.");
  for (const link::PortCounters& port : now.ports)
    for (const auto& [name, value] : port.values)
      counters.add({{"node", now.host},
                    {"device", port.device},
                    {"port", std::to_string(port.port)},
                    {"source", std::string(link::to_string(name.source))},
                    {"counter", name.name}},
                   static_cast<double>(value));
  return info.text() + counters.text();
}

}  // namespace

std::string to_metrics(const Snapshot& now, const std::vector<Finding>& findings, const CheckMoment& moment) {
  return check_metrics(now, findings, moment) + finding_metrics(now, findings) + gpu_metrics(now) +
         gpu_counters(now) + port_metrics(now);
}

}  // namespace assay::health
