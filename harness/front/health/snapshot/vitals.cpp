// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/snapshot/vitals.hpp"

#include <fmt/format.h>

#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/link/read_counters.hpp"
#include "harness/machine/parts.hpp"

namespace assay::health {
namespace {

constexpr const char* powercap = "/sys/class/powercap";

void add(std::vector<Vital>& vitals, const std::string& unit, const std::string& kind,
         const std::optional<double>& value, const std::string& why) {
  vitals.push_back({unit, kind, value, value ? "" : why});
}

template <class Number>
std::optional<double> scaled(const std::optional<Number>& count, double factor) {
  if (!count) return std::nullopt;
  return static_cast<double>(*count) * factor;
}

/// Errors of all links together: what a link's receiver had to ask for again, or found damaged.
std::optional<double> errors_of(const std::vector<machine::Nvlink>& links) {
  double errors = 0;
  for (const machine::Nvlink& link : links) {
    if (!link.replays || !link.recoveries || !link.crc_errors) return std::nullopt;
    errors += static_cast<double>(*link.replays + *link.recoveries + *link.crc_errors);
  }
  return errors;
}

void read_nvlinks(const machine::NvmlDevice& device, const std::string& gpu, std::vector<Vital>& vitals) {
  const auto links = device.nvlinks();
  if (!links || links->empty()) return;
  add(vitals, gpu + " NVLinks", "moved_bits", scaled(device.nvlink_sent_bytes(), 8),
      "the driver does not report what they sent");
  add(vitals, gpu + " NVLinks", "link_errors", errors_of(*links), "the driver does not report every error");
}

struct PortErrors {
  std::optional<double> sum;
  std::string why_unknown = "the port has no counter of errors";
};

/// Every counter of the port that shows a fault: one event may move two of them, which only widens the
/// bound.
PortErrors errors_of(const link::PortCounters& port) {
  PortErrors errors;
  for (const auto& [name, value] : port.values) {
    const link::CounterFact* fact = link::find_counter(name.source, name.name);
    if (name.source != link::CounterSource::port || fact == nullptr ||
        fact->speaks_for != core::LinkClass::faulty)
      continue;
    if (fact->overflow == link::Overflow::saturates && value >= link::full(*fact))
      return {std::nullopt, fmt::format("{} is full", name.name)};
    errors.sum = errors.sum.value_or(0) + static_cast<double>(value);
  }
  return errors;
}

}  // namespace

std::vector<Vital> VitalsReader::read() {
  std::vector<Vital> vitals;
  read_gpus(vitals);
  read_ports(vitals);
  read_packages(vitals);
  return vitals;
}

void VitalsReader::read_gpus(std::vector<Vital>& vitals) const {
  for (int index = 0; index < nvml_.device_count(); ++index) {
    std::string why;
    const auto device = nvml_.device(index, &why);
    GpuState gpu;
    gpu.index = index;
    if (device) gpu.address = device->pci_address();
    const machine::Telemetry now = device ? device->telemetry() : machine::Telemetry{};
    if (device) why = "the driver does not report it";
    add(vitals, gpu.unit(), "temperature_c", now.temperature_c, why);
    add(vitals, gpu.unit(), "sm_clock_mhz", now.sm_clock_mhz, why);
    add(vitals, gpu.unit(), "power_w", now.power_w, why);
    add(vitals, gpu.unit(), "energy_j", scaled(now.energy_mj, 1e-3), why);
    if (device) read_nvlinks(*device, gpu.unit(), vitals);
  }
}

/// Bits received, for it is the receiver that counts the errors. port_rcv_data counts words of four bytes.
void VitalsReader::read_ports(std::vector<Vital>& vitals) const {
  machine::Notes ignored;
  std::vector<machine::Hca> hcas = machine::read_hcas(tree_, ignored);
  std::erase_if(hcas, [](const machine::Hca& hca) { return hca.software; });
  for (const link::PortCounters& port : link::CounterReader(hcas, root_).read()) {
    const std::string unit = fmt::format("{}/{}", port.device, port.port);
    const auto words = port.values.find({link::CounterSource::port, "", "port_rcv_data"});
    const bool counted = words != port.values.end();
    add(vitals, unit, "moved_bits", counted ? scaled(std::optional(words->second), 32) : std::nullopt,
        "no port_rcv_data");
    const PortErrors errors = errors_of(port);
    add(vitals, unit, "link_errors", errors.sum, errors.why_unknown);
  }
}

/// RAPL (Linux, Documentation/power/powercap/powercap.rst): microjoules of a package, with its own range.
/// Readable by root only since Linux 5.10 (CVE-2020-8694).
void VitalsReader::read_packages(std::vector<Vital>& vitals) {
  bool any = false;
  for (const std::string& zone : tree_.list(powercap)) {
    const std::string folder = fmt::format("{}/{}/", powercap, zone);
    const std::string name = tree_.text(folder + "name");
    if (!name.starts_with("package")) continue;
    any = true;
    const auto energy = tree_.read_count(folder + "energy_uj");
    const auto range = tree_.read_count(folder + "max_energy_range_uj");
    std::optional<double> joules;
    if (energy && range) {
      Package& package = packages_[zone];
      if (*energy < package.last) package.wrapped += *range;
      package.last = *energy;
      joules = static_cast<double>(package.wrapped + *energy) * 1e-6;
    }
    add(vitals, fmt::format("host {} (RAPL)", name), "energy_j", joules,
        "energy_uj cannot be read (only root may)");
  }
  if (!any) add(vitals, "host", "energy_j", std::nullopt, "no RAPL below /sys/class/powercap");
}

}  // namespace assay::health
