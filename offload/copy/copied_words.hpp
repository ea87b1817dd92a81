// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The words that are copied, and a check that they arrived.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::offload {

/// The value of every byte of a target before a copy.
inline constexpr int spoiled_byte = 0xA5;

/// Words that no link can compress; `bytes` is a multiple of 8.
std::vector<std::uint64_t> words_to_copy(std::int64_t bytes);

/// The first word at a target, in host memory, that is not that of words_to_copy(bytes); nothing where all
/// are.
std::optional<std::int64_t> first_wrong_word(const void* seen, std::int64_t bytes);

/// The result of first_wrong_word() as a verdict that names the target.
core::Verification compare_copied(const void* seen, std::int64_t bytes, const std::string& target);

}  // namespace assay::offload
