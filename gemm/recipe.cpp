// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/recipe.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "gemm/pieces.hpp"
#include "harness/core/error.hpp"
#include "harness/core/statistics/student_t.hpp"

namespace assay::gemm {
namespace {

constexpr std::array<std::pair<std::string_view, Data>, 5> data_names{{{"normal", Data::normal},
                                                                       {"uniform", Data::uniform},
                                                                       {"zeros", Data::zeros},
                                                                       {"constant", Data::constant},
                                                                       {"integer", Data::integer}}};

/// Largest magnitude before scaling that should still fit: four standard deviations lose 6 elements of 10^5.
double covered_magnitude(Data data) {
  if (data == Data::normal) return 4.0;
  return data == Data::constant ? 0.5 : 1.0;
}

double scale_for(Dtype dtype, Data data) {
  if (data == Data::integer || data == Data::zeros) return 1.0;
  if (dtype == Dtype::fp8_e4m3) return static_cast<double>(core::e4m3_max) / covered_magnitude(data);
  if (dtype == Dtype::int8) return 127.0 / covered_magnitude(data);
  return 1.0;
}

/// Share of +-1 among zeros such that a sum of k products has a standard deviation of at most 25: bf16 holds
/// whole numbers to 256 exactly, ten deviations away. A product is not zero with probability p^2.
std::uint32_t density_for(std::int64_t k) {
  const double p = std::min(2.0 / 3.0, 25.0 / std::sqrt(static_cast<double>(k)));
  return static_cast<std::uint32_t>(p * 65536.0);
}

}  // namespace

std::string to_string(Data data) {
  for (const auto& [word, value] : data_names)
    if (value == data) return std::string(word);
  return "?";
}

std::vector<std::string> all_data() {
  std::vector<std::string> words;
  for (const auto& [word, value] : data_names) words.emplace_back(word);
  return words;
}

Data data_from(std::string_view text) {
  for (const auto& [word, value] : data_names)
    if (word == text) return value;
  core::usage_error(fmt::format("data '{}': expected one of {}", text, fmt::join(all_data(), ", ")));
}

Recipes recipes(const Problem& problem, Data data, int set) {
  OperandRecipe a{.data = data, .dtype = problem.dtype, .scale = scale_for(problem.dtype, data)};
  a.density = problem.dtype == Dtype::int8 ? 60000U : density_for(problem.k);
  a.magnitude = problem.dtype == Dtype::int8 ? 8U : 1U;
  OperandRecipe b = a;
  a.seed = 2 * static_cast<std::uint64_t>(set) + 1;
  b.seed = 2 * static_cast<std::uint64_t>(set) + 2;
  const OperandRecipe c{.data = Data::integer,
                        .dtype = Dtype::fp32,
                        .seed = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(set),
                        .density = 65536,
                        .magnitude = 8};
  return {a, b, c};
}

bool is_exact(const Problem& problem, Data data) {
  // 127^2 k stays below 2^31 up to k = 133,144: beyond, an int32 accumulator may wrap on scaled data.
  if (problem.dtype == Dtype::int8) return data == Data::integer || problem.k <= 133144;
  return data == Data::integer || data == Data::zeros;
}

std::span<const float> normal_table() {
  static const std::vector<float> table = [] {
    std::vector<float> values(normal_table_size);
    for (int i = 0; i < normal_table_size / 2; ++i) {
      const double quantile = core::normal_quantile((i + 0.5) / normal_table_size);
      const auto value = static_cast<float>(std::round(quantile * 65536.0) / 65536.0);
      values[static_cast<std::size_t>(i)] = value;
      values[static_cast<std::size_t>(normal_table_size - 1 - i)] = -value;
    }
    return values;
  }();
  return table;
}

std::int64_t fill(const OperandRecipe& recipe, std::byte* target, std::int64_t count, int threads) {
  const float* table = normal_table().data();
  const auto width = static_cast<std::size_t>(element_bytes(recipe.dtype));
  std::vector<std::int64_t> saturated(static_cast<std::size_t>(std::max(1, threads)));
  in_pieces(count, threads, [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
    std::int64_t lost = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const Element element = operand_element(recipe, table, static_cast<std::uint64_t>(i));
      // Little-endian: the low bytes of the bits are the element.
      std::memcpy(target + static_cast<std::size_t>(i) * width, &element.bits, width);
      lost += element.saturated ? 1 : 0;
    }
    saturated[piece] = lost;
  });
  return std::accumulate(saturated.begin(), saturated.end(), std::int64_t{0});
}

}  // namespace assay::gemm
