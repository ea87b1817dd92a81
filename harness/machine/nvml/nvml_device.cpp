// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One GPU's values. Every call is checked: a null function or any error gives an empty optional.
#include <algorithm>
#include <array>
#include <cctype>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/nvml/nvml_fields.hpp"
#include "harness/machine/nvml/nvml_library.hpp"

namespace assay::machine {

namespace {

std::optional<std::string> text(NvmlDeviceCall<char*, unsigned> function, void* device) {
  std::array<char, 96> buffer{};
  if (!works(function, device, buffer.data(), static_cast<unsigned>(buffer.size()))) return {};
  return std::string(buffer.data());
}

std::optional<unsigned> unsigned_number(NvmlDeviceCall<unsigned*> function, void* device) {
  unsigned value = 0;
  return works(function, device, &value) ? std::optional(value) : std::nullopt;
}

std::optional<double> watts(NvmlDeviceCall<unsigned*> function, void* device) {
  const auto milliwatts = unsigned_number(function, device);
  return milliwatts ? std::optional(*milliwatts / 1e3) : std::nullopt;
}

std::optional<double> mhz(NvmlDeviceCall<int, unsigned*> function, void* device, NvmlClock which) {
  unsigned value = 0;
  return works(function, device, static_cast<int>(which), &value) ? std::optional<double>(value)
                                                                  : std::nullopt;
}

}  // namespace

std::optional<std::string> NvmlDevice::name() const { return text(library_->call.name, handle_); }
std::optional<std::string> NvmlDevice::uuid() const { return text(library_->call.uuid, handle_); }
std::optional<std::string> NvmlDevice::serial() const { return text(library_->call.serial, handle_); }
std::optional<std::string> NvmlDevice::vbios() const { return text(library_->call.vbios, handle_); }

std::optional<std::string> NvmlDevice::pci_address() const {
  NvmlPci pci{};
  if (!works(library_->call.pci, handle_, &pci)) return {};
  std::string address(pci.address, std::find(pci.address, pci.address + sizeof(pci.address), '\0'));
  std::transform(address.begin(), address.end(), address.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  // NVML writes the domain in eight digits, sysfs in four where they suffice.
  if (address.size() == 16 && address.starts_with("0000")) address.erase(0, 4);
  return address;
}

std::optional<std::pair<int, int>> NvmlDevice::compute_capability() const {
  int major = 0, minor = 0;
  if (!works(library_->call.compute_capability, handle_, &major, &minor)) return {};
  return std::pair(major, minor);
}

std::optional<int> NvmlDevice::core_count() const {
  const auto cores = unsigned_number(library_->call.core_count, handle_);
  return cores ? std::optional(static_cast<int>(*cores)) : std::nullopt;
}

std::optional<int> NvmlDevice::memory_bus_bits() const {
  const auto bits = unsigned_number(library_->call.memory_bus_bits, handle_);
  return bits ? std::optional(static_cast<int>(*bits)) : std::nullopt;
}

std::optional<std::int64_t> NvmlDevice::memory_bytes() const {
  NvmlMemory memory{};
  if (!works(library_->call.memory, handle_, &memory)) return {};
  return static_cast<std::int64_t>(memory.total);
}

std::optional<bool> NvmlDevice::ecc_enabled() const {
  int now = 0, pending = 0;
  if (!works(library_->call.ecc_mode, handle_, &now, &pending)) return {};
  return now == 1;
}

std::optional<bool> NvmlDevice::mig_enabled() const {
  unsigned now = 0, pending = 0;
  if (!works(library_->call.mig_mode, handle_, &now, &pending)) return {};
  return now == 1;
}

std::optional<bool> NvmlDevice::persistence_enabled() const {
  int mode = 0;
  if (!works(library_->call.persistence_mode, handle_, &mode)) return {};
  return mode == 1;
}

std::optional<double> NvmlDevice::sm_clock_mhz() const {
  return mhz(library_->call.clock, handle_, nvml_clock_sm);
}
std::optional<double> NvmlDevice::max_sm_clock_mhz() const {
  return mhz(library_->call.max_clock, handle_, nvml_clock_sm);
}
std::optional<double> NvmlDevice::memory_clock_mhz() const {
  return mhz(library_->call.clock, handle_, nvml_clock_memory);
}
std::optional<double> NvmlDevice::max_memory_clock_mhz() const {
  return mhz(library_->call.max_clock, handle_, nvml_clock_memory);
}

std::optional<double> NvmlDevice::power_w() const { return watts(library_->call.power, handle_); }
std::optional<double> NvmlDevice::power_instant_w() const {
  const auto milliwatts = read_field(library_->call, handle_, nvml_field_power_instant);
  return milliwatts ? std::optional(static_cast<double>(*milliwatts) / 1e3) : std::nullopt;
}
std::optional<double> NvmlDevice::power_limit_w() const { return watts(library_->call.power_limit, handle_); }
std::optional<double> NvmlDevice::enforced_power_limit_w() const {
  return watts(library_->call.enforced_power_limit, handle_);
}
std::optional<double> NvmlDevice::default_power_limit_w() const {
  return watts(library_->call.default_power_limit, handle_);
}

std::optional<std::uint64_t> NvmlDevice::energy_mj() const {
  unsigned long long millijoules = 0;
  if (!works(library_->call.energy, handle_, &millijoules)) return {};
  return millijoules;
}

std::optional<double> NvmlDevice::temperature_c() const {
  unsigned celsius = 0;
  if (works(library_->call.temperature, handle_, 0, &celsius)) return celsius;
  NvmlTemperature reading{nvml_temperature_version, 0, 0};
  if (works(library_->call.temperature_v, handle_, &reading)) return reading.celsius;
  return {};
}

std::optional<double> NvmlDevice::memory_temperature_c() const {
  const auto celsius = read_field(library_->call, handle_, nvml_field_memory_temperature);
  return celsius ? std::optional(static_cast<double>(*celsius)) : std::nullopt;
}

std::optional<std::uint64_t> NvmlDevice::clocks_event_reasons() const {
  unsigned long long reasons = 0;
  if (works(library_->call.clocks_event_reasons, handle_, &reasons)) return reasons;
  if (works(library_->call.clocks_throttle_reasons, handle_, &reasons)) return reasons;  // before driver 535
  return {};
}

Telemetry NvmlDevice::telemetry() const {
  Telemetry now;
  now.sm_clock_mhz = sm_clock_mhz();
  now.memory_clock_mhz = memory_clock_mhz();
  now.power_w = power_instant_w();
  if (!now.power_w) now.power_w = power_w();
  now.temperature_c = temperature_c();
  now.energy_mj = energy_mj();
  now.clocks_event_reasons = clocks_event_reasons();
  return now;
}

}  // namespace assay::machine
