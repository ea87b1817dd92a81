// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_load_kind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::offload {
namespace {

constexpr std::array<std::pair<const char*, DeviceLoadKind>, 8> device_load_names{
    {{"gemm", DeviceLoadKind::gemm},
     {"stream", DeviceLoadKind::stream},
     {"copy_h2d", DeviceLoadKind::copy_h2d},
     {"copy_d2h", DeviceLoadKind::copy_d2h},
     {"sm_copy_h2d", DeviceLoadKind::sm_copy_h2d},
     {"sm_copy_d2h", DeviceLoadKind::sm_copy_d2h},
     {"nccl", DeviceLoadKind::nccl},
     {"spin", DeviceLoadKind::spin}}};

}  // namespace

std::string to_string(DeviceLoadKind kind) {
  for (const auto& [word, value] : device_load_names)
    if (value == kind) return word;
  return "?";
}

std::vector<std::string> all_device_loads() {
  std::vector<std::string> words;
  for (const auto& [word, kind] : device_load_names) words.emplace_back(word);
  return words;
}

std::vector<std::string> all_device_victims() {
  std::vector<std::string> words = all_device_loads();
  words.pop_back();
  return words;
}

DeviceLoadKind device_load_from(const std::string& axis, const std::string& word) {
  const bool victim = axis == "victim";
  for (const auto& [name, kind] : device_load_names)
    if (name == word && !(victim && kind == DeviceLoadKind::spin)) return kind;
  core::usage_error(fmt::format("{} '{}': expected one of {}", axis, word,
                                fmt::join(victim ? all_device_victims() : all_device_loads(), ", ")));
}

bool is_by_engine(DeviceLoadKind kind) {
  return kind == DeviceLoadKind::copy_h2d || kind == DeviceLoadKind::copy_d2h;
}

bool is_resident(DeviceLoadKind kind) {
  return kind != DeviceLoadKind::gemm && kind != DeviceLoadKind::nccl && !is_by_engine(kind);
}

bool is_taking_known(DeviceLoadKind kind) { return is_resident(kind) || is_by_engine(kind); }

}  // namespace assay::offload
