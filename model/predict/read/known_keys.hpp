// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys of applications and systems, of Calculon's files and of assay's, which hold them too.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/predict/read/read.hpp"

namespace assay::model {

/// Keys that Calculon knows.
template <core::Described T>
const std::vector<std::string_view>& keys_of_calculon() {
  static const auto keys = core::required_names_of(fields_of(core::Type<T>()));
  return keys;
}

/// Calculon's keys and assay's own.
template <core::Described T>
const std::vector<std::string_view>& keys_of_assay() {
  static const auto keys = core::names_of(fields_of(core::Type<T>()));
  return keys;
}

inline constexpr std::array<std::string_view, 6> calculon_system_keys = {
    "matrix", "vector", "mem1", "mem2", "processing_mode", "networks"};
inline constexpr std::array<std::string_view, 11> system_keys = {
    "matrix",       "vector",      "mem1", "mem2",  "processing_mode", "networks",
    "coefficients", intervals_key, "name", "about", "sources"};
inline constexpr std::array<std::string_view, 4> network_extension_keys = {
    "coefficients", "tier", "gradient_overlap", "gather_overlap"};
inline constexpr std::array<std::string_view, 1> operation_extension_keys = {"all_to_all"};
inline constexpr std::array<std::string_view, 2> engine_keys = {"tflops", "gflops_efficiency"};
inline constexpr std::array<std::string_view, 3> memory_keys = {"GiB", "GBps", "MB_efficiency"};

/// For people, or for other commands: no model uses them.
inline constexpr std::array<std::string_view, 4> remark_keys = {"name", "about", "sources", intervals_key};

}  // namespace assay::model
