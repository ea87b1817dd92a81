// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What is copied, and whether it arrived.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"

namespace assay::offload {

/// What targets hold before a copy, in every byte.
inline constexpr int spoiled_byte = 0xA5;

/// Words that no link can compress; `bytes` is a multiple of 8.
std::vector<std::uint64_t> words_to_copy(std::int64_t bytes);

/// What lies at a target, in host memory, against words_to_copy(bytes).
core::Verification compare_copied(const void* seen, std::int64_t bytes, const std::string& target);

}  // namespace assay::offload
