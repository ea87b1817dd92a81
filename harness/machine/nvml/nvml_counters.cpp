// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The driver's counters over time, and the state of a GPU's links.
#include <array>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/nvml/nvml_fields.hpp"
#include "harness/machine/nvml/nvml_library.hpp"

namespace assay::machine {

namespace {

std::optional<int> number(NvmlDeviceCall<unsigned*> function, void* device) {
  unsigned value = 0;
  return works(function, device, &value) ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::optional<std::uint64_t> ecc(const NvmlFunctions& call, void* device, int error, int counter) {
  unsigned long long count = 0;
  if (!works(call.ecc_errors, device, error, counter, &count)) return {};
  return count;
}

/// A policy's time, from the function where the driver has it (deprecated since NVML 13), else from the
/// field.
std::optional<std::uint64_t> policy_ns(const NvmlFunctions& call, void* device, int policy) {
  NvmlViolation violation{};
  if (works(call.violation, device, policy, &violation)) return violation.violation_ns;
  return read_field(call, device,
                    static_cast<NvmlField>(nvml_field_policy_power + static_cast<unsigned>(policy)));
}

/// Reads the field by its number of recent drivers, else of earlier ones.
std::optional<std::uint64_t> throttle_ns(const NvmlFunctions& call, void* device, NvmlField field) {
  if (const auto ns = read_wide_field(call, device, field)) return ns;
  return read_wide_field(call, device, field - nvml_throttle_fields_moved_by);
}

}  // namespace

std::vector<ThrottleTime> NvmlDevice::throttle_times() const {
  // In the order of NVML's policies 0 to 5.
  static constexpr std::array policies = {"power",       "thermal",         "sync_boost",
                                          "board_limit", "low_utilization", "reliability"};
  static constexpr std::array fields = {std::pair{"sw_thermal", nvml_field_sw_thermal},
                                        std::pair{"hw_thermal", nvml_field_hw_thermal},
                                        std::pair{"hw_power_brake", nvml_field_hw_power_brake}};
  std::vector<ThrottleTime> times;
  for (std::size_t policy = 0; policy < policies.size(); ++policy)
    if (const auto ns = policy_ns(library_->call, handle_, static_cast<int>(policy)))
      times.push_back({policies[policy], *ns});
  for (const auto& [limiter, field] : fields)
    if (const auto ns = throttle_ns(library_->call, handle_, field)) times.push_back({limiter, *ns});
  return times;
}

std::optional<std::uint64_t> NvmlDevice::pcie_replays() const {
  unsigned count = 0;
  if (!works(library_->call.pcie_replays, handle_, &count)) return {};
  return count;
}

EccErrors NvmlDevice::ecc_errors() const {
  // NVML: error 0 corrected, 1 uncorrected; counter 0 volatile, 1 aggregate.
  const NvmlFunctions& call = library_->call;
  return {.corrected_volatile = ecc(call, handle_, 0, 0),
          .uncorrected_volatile = ecc(call, handle_, 1, 0),
          .corrected_aggregate = ecc(call, handle_, 0, 1),
          .uncorrected_aggregate = ecc(call, handle_, 1, 1)};
}

std::optional<RemappedRows> NvmlDevice::remapped_rows() const {
  unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
  if (!works(library_->call.remapped_rows, handle_, &corrected, &uncorrected, &pending, &failed)) return {};
  return RemappedRows{corrected, uncorrected, pending != 0, failed != 0};
}

std::optional<int> NvmlDevice::pcie_generation() const {
  return number(library_->call.pcie_generation, handle_);
}
std::optional<int> NvmlDevice::max_pcie_generation() const {
  return number(library_->call.max_pcie_generation, handle_);
}
std::optional<int> NvmlDevice::pcie_width() const { return number(library_->call.pcie_width, handle_); }
std::optional<int> NvmlDevice::max_pcie_width() const {
  return number(library_->call.max_pcie_width, handle_);
}

std::optional<int> NvmlDevice::nvlinks_active() const {
  std::optional<int> active;
  for (unsigned link = 0; link < nvml_most_nvlinks; ++link) {
    int state = 0;
    if (works(library_->call.nvlink_state, handle_, link, &state)) active = active.value_or(0) + (state == 1);
  }
  return active;
}

std::optional<std::uint64_t> NvmlDevice::nvlink_sent_bytes() const {
  constexpr std::uint64_t kib = 1024;
  const auto sent = read_field(library_->call, handle_, nvml_field_nvlink_sent_kib, nvml_all_nvlinks);
  if (sent) return kib * *sent;
  return read_field(library_->call, handle_, nvml_field_nvlink5_sent_bytes, nvml_all_nvlinks);
}

}  // namespace assay::machine
