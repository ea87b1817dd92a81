// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Versions of what a number depends on and this process can learn without opening a device.
#include <gnu/libc-version.h>

#include <array>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ..."; the open module writes "... Module for
/// x86_64 580.95.05 ...": the version is the first word of digits and dots.
std::string loaded_driver(const Tree& tree) {
  const std::string text = tree.text("/proc/driver/nvidia/version");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
    at = end + 1;
  }
  return "";
}

std::vector<Version> read_versions(const Tree& tree, const Nvml& nvml, const Machine& machine) {
  std::vector<Version> versions;
  const auto add = [&](const std::string& component, const std::string& version) {
    if (!version.empty()) versions.push_back({component, version});
  };
  add("kernel", machine.kernel);
  add("microcode", machine.cpu.microcode);
  if (tree.is_this_machine()) add("glibc", gnu_get_libc_version());
  const auto driver = nvml.driver_version();
  add("nvidia driver", driver ? *driver : loaded_driver(tree));
  add("cuda driver", nvml.cuda_driver_version().value_or(""));
  add("nvml", nvml.library_version().value_or(""));
  static constexpr std::array modules = {"mlx5_core", "mlx5_ib", "nvidia_peermem", "gdrdrv", "knem", "xpmem"};
  for (const char* module : modules)
    add(module, tree.text(std::string("/sys/module/") + module + "/version"));
  return versions;
}

}  // namespace assay::machine
