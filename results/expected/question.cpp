// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/question.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::results::expected {
namespace {

constexpr std::array<std::string_view, 7> exchanges{
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send_receive"};
constexpr std::array<std::string_view, 7> rates{
    "host_to_device", "device_to_host", "device_to_device", "write", "memory", "matmul_16bit", "matmul_8bit"};

}  // namespace

bool is_collective(const std::string& operation) {
  return std::ranges::find(exchanges, std::string_view(operation)) != exchanges.end();
}

bool is_operation(const std::string& operation) {
  return is_collective(operation) || std::ranges::find(rates, std::string_view(operation)) != rates.end();
}

std::string operations_text() {
  return fmt::format("{}, {}", fmt::join(exchanges, ", "), fmt::join(rates, ", "));
}

}  // namespace assay::results::expected
