// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys of applications and systems, of Calculon's files and of assay's, which hold them too.
#pragma once

#include <array>
#include <string_view>

#include "model/predict/read/read.hpp"

namespace assay::model {

inline constexpr std::array<std::string_view, 6> calculon_application_keys = {
    "hidden", "feedforward", "seq_size", "attn_heads", "attn_size", "num_blocks"};
inline constexpr std::array<std::string_view, 14> application_keys = {
    "name",           "hidden",         "feedforward", "seq_size",   "attn_heads", "attn_size",
    "num_blocks",     "kv_heads",       "gated_mlp",   "vocabulary", "experts",    "experts_per_token",
    "tied_embedding", "capacity_factor"};
inline constexpr std::array<std::string_view, 6> calculon_system_keys = {
    "matrix", "vector", "mem1", "mem2", "processing_mode", "networks"};
inline constexpr std::array<std::string_view, 10> system_keys = {
    "matrix",   "vector",       "mem1",        "mem2", "processing_mode",
    "networks", "coefficients", intervals_key, "name", "about"};
inline constexpr std::array<std::string_view, 2> engine_keys = {"tflops", "gflops_efficiency"};
inline constexpr std::array<std::string_view, 3> memory_keys = {"GiB", "GBps", "MB_efficiency"};

/// For people, or for other commands: no model uses them.
inline constexpr std::array<std::string_view, 3> remark_keys = {"name", "about", intervals_key};

}  // namespace assay::model
