// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/cuda_driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "harness/machine/parts.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::machine {
namespace {

/// From NVIDIA's CUDA Toolkit release notes, minimum required driver for minor version compatibility (Linux).
constexpr std::array<std::pair<long, const char*>, 3> oldest_drivers{
    {{11, "450.80.02"}, {12, "525.60.13"}, {13, "580.65.06"}}};

long first_number(const std::string& version) { return std::strtol(version.c_str(), nullptr, 10); }

std::vector<long> numbers_of(const std::string& version) {
  std::vector<long> numbers;
  const char* at = version.c_str();
  for (char* end = nullptr;; at = end + 1) {
    numbers.push_back(std::strtol(at, &end, 10));
    if (*end != '.') return numbers;
  }
}

/// "libcuda.so.580.65.06", which libcuda.so.1 leads to, is of driver 580.65.06.
std::string driver_of_library(const Tree& tree, const std::string& folder) {
  const std::string real = tree.resolve(folder + "/libcuda.so.1");
  constexpr std::string_view before = "/libcuda.so.";
  const std::size_t at = real.rfind(before);
  return at == std::string::npos ? "" : real.substr(at + before.size());
}

}  // namespace

CudaDriver reported_driver(const Nvml& nvml) {
  return {.installed = nvml.driver_version().value_or(""), .offers = nvml.cuda_driver_version().value_or("")};
}

CudaDriver read_cuda_driver(const Tree& tree, CudaDriver reported) {
  if (reported.installed.empty()) reported.installed = loaded_driver(tree);
  for (const std::string& name : tree.list("/usr/local")) {
    if (name != "cuda" && !name.starts_with("cuda-")) continue;
    const std::string folder = "/usr/local/" + name + "/compat";
    if (const std::string driver = driver_of_library(tree, folder); !driver.empty())
      reported.compat.push_back({folder, driver});
  }
  return reported;
}

CudaDriver read_cuda_driver() {
  return read_cuda_driver(Tree(pretended_root()), reported_driver(Nvml::shared()));
}

std::string oldest_driver_for(const std::string& toolkit) {
  for (const auto& [major, driver] : oldest_drivers)
    if (major == first_number(toolkit)) return driver;
  return "";
}

bool is_older_driver(const std::string& one, const std::string& other) {
  return numbers_of(one) < numbers_of(other);
}

std::optional<DriverTooOld> driver_too_old(const CudaDriver& driver, const std::string& toolkit) {
  const std::string oldest = oldest_driver_for(toolkit);
  if (driver.installed.empty() || oldest.empty() || !is_older_driver(driver.installed, oldest)) return {};
  // Libraries of forward compatibility may already be on the loader's path.
  if (first_number(driver.offers) >= first_number(toolkit)) return {};
  constexpr long oldest_major = 12;  // that assay can be built with
  std::string package = toolkit;
  std::ranges::replace(package, '.', '-');
  return DriverTooOld{
      .what = fmt::format("NVIDIA driver {} is older than {}, which programs made with CUDA {} need",
                          driver.installed, oldest, toolkit),
      .ways =
          fmt::format("install that driver or a later one, or NVIDIA's package cuda-compat-{} (data-centre "
                      "GPUs only){}",
                      package,
                      first_number(toolkit) > oldest_major
                          ? ", or a build of assay with CUDA 12 (scripts/configure --cuda)"
                          : "")};
}

std::optional<std::string> forward_compatibility(const CudaDriver& driver, const std::string& toolkit) {
  const std::string oldest = oldest_driver_for(toolkit);
  if (oldest.empty()) return {};
  const CompatLibrary* found = nullptr;
  for (const CompatLibrary& library : driver.compat)
    if (!is_older_driver(library.driver, oldest) &&
        (found == nullptr || is_older_driver(library.driver, found->driver)))
      found = &library;
  return found == nullptr ? std::nullopt : std::optional(found->folder);
}

std::string with_forward_compatibility(const CudaDriver& driver, const std::string& folder) {
  return fmt::format("driver {} with the forward-compatibility libraries of {}", driver.installed, folder);
}

}  // namespace assay::machine
