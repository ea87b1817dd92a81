// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/nvml/nvml.hpp"

#include <array>
#include <cstdlib>

#include "harness/machine/nvml/nvml_library.hpp"

namespace assay::machine {

namespace {

std::optional<std::string> text(NvmlReturn (*function)(char*, unsigned)) {
  std::array<char, 96> buffer{};
  if (function == nullptr || function(buffer.data(), buffer.size()) != 0) return {};
  return std::string(buffer.data());
}

void explain(std::string* why, const std::string& words) {
  if (why != nullptr) *why = words;
}

}  // namespace

Nvml::Nvml(const std::string& library) {
  auto opened = std::make_shared<NvmlLibrary>();
  unavailable_ = opened->open(library);
  if (unavailable_.empty()) library_ = std::move(opened);
}

const Nvml& Nvml::shared() {
  static const Nvml one;
  return one;
}

std::string Nvml::default_library() {
  const char* chosen = std::getenv("ASSAY_NVML_LIBRARY");
  return chosen != nullptr && *chosen != '\0' ? chosen : "libnvidia-ml.so.1";
}

std::optional<std::string> Nvml::driver_version() const {
  return ready() ? text(library_->call.driver_version) : std::nullopt;
}

std::optional<std::string> Nvml::library_version() const {
  return ready() ? text(library_->call.library_version) : std::nullopt;
}

std::optional<std::string> Nvml::cuda_driver_version() const {
  int version = 0;  // 1000 * major + 10 * minor
  if (!ready() || library_->call.cuda_driver_version == nullptr) return {};
  if (library_->call.cuda_driver_version(&version) != 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int Nvml::device_count() const {
  unsigned count = 0;
  if (!ready() || library_->call.device_count == nullptr || library_->call.device_count(&count) != 0)
    return 0;
  return static_cast<int>(count);
}

std::optional<Nvml::Device> Nvml::device(int index, std::string* why) const {
  NvmlHandle handle = nullptr;
  if (!ready() || library_->call.device_by_index == nullptr) {
    explain(why, ready() ? "the library has no nvmlDeviceGetHandleByIndex_v2" : unavailable_);
    return {};
  }
  const NvmlReturn result = library_->call.device_by_index(static_cast<unsigned>(index), &handle);
  if (result == 0) return Device(library_, handle);
  explain(why, library_->words(result));
  return {};
}

std::optional<Nvml::Device> Nvml::device(const std::string& pci_address, std::string* why) const {
  NvmlHandle handle = nullptr;
  if (!ready() || library_->call.device_by_pci == nullptr) {
    explain(why, ready() ? "the library has no nvmlDeviceGetHandleByPciBusId_v2" : unavailable_);
    return {};
  }
  const NvmlReturn result = library_->call.device_by_pci(pci_address.c_str(), &handle);
  if (result == 0) return Device(library_, handle);
  explain(why, library_->words(result));
  return {};
}

std::vector<std::string> Nvml::missing_functions() const {
  return ready() ? library_->missing : std::vector<std::string>{};
}

std::vector<std::string> clocks_event_reason_names(std::uint64_t reasons) {
  static constexpr std::array names = {"gpu_idle",
                                       "applications_clocks_setting",
                                       "sw_power_cap",
                                       "hw_slowdown",
                                       "sync_boost",
                                       "sw_thermal_slowdown",
                                       "hw_thermal_slowdown",
                                       "hw_power_brake_slowdown",
                                       "display_clock_setting"};
  std::vector<std::string> set;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((reasons >> bit & 1) == 0) continue;
    set.push_back(bit < names.size() ? names[bit] : "bit_" + std::to_string(bit));
  }
  return set;
}

}  // namespace assay::machine
