// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/problem.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

constexpr std::array<std::pair<std::string_view, Pass>, 3> pass_names{
    {{"forward", Pass::forward}, {"dgrad", Pass::dgrad}, {"wgrad", Pass::wgrad}}};
constexpr std::array<std::pair<std::string_view, Dtype>, 7> dtype_names{{{"fp64", Dtype::fp64},
                                                                         {"fp32", Dtype::fp32},
                                                                         {"tf32", Dtype::tf32},
                                                                         {"bf16", Dtype::bf16},
                                                                         {"fp16", Dtype::fp16},
                                                                         {"fp8_e4m3", Dtype::fp8_e4m3},
                                                                         {"int8", Dtype::int8}}};

template <class Names>
std::vector<std::string> words_of(const Names& names) {
  std::vector<std::string> words;
  for (const auto& [word, value] : names) words.emplace_back(word);
  return words;
}

template <class Names, class Value>
std::string word_for(const Names& names, Value wanted) {
  for (const auto& [word, value] : names)
    if (value == wanted) return std::string(word);
  return "?";
}

template <class Names>
auto value_of(const Names& names, std::string_view text, std::string_view what) {
  for (const auto& [word, value] : names)
    if (word == text) return value;
  core::usage_error(fmt::format("{} '{}': expected one of {}", what, text, fmt::join(words_of(names), ", ")));
}

}  // namespace

OutputType Problem::output() const {
  switch (dtype) {
    case Dtype::fp64:
      return OutputType::fp64;
    case Dtype::int8:
      return OutputType::int32;
    case Dtype::fp32:
    case Dtype::tf32:
      return OutputType::fp32;
    case Dtype::fp16:
      return pass == Pass::wgrad ? OutputType::fp32 : OutputType::fp16;
    case Dtype::bf16:
    case Dtype::fp8_e4m3:
      break;
  }
  return pass == Pass::wgrad ? OutputType::fp32 : OutputType::bf16;
}

std::int64_t Problem::a_bytes() const { return a_elements() * element_bytes(dtype); }
std::int64_t Problem::b_bytes() const { return b_elements() * element_bytes(dtype); }
std::int64_t Problem::output_bytes() const { return output_elements() * element_bytes(output()); }

std::string Problem::layout() const {
  // Row-major C = A B is column-major C^T = B^T A^T, so B comes first there.
  return std::string(b_is_transposed() ? "T" : "N") + (a_is_transposed() ? "T" : "N");
}

std::int64_t element_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp64:
      return 8;
    case Dtype::fp32:
    case Dtype::tf32:
      return 4;
    case Dtype::bf16:
    case Dtype::fp16:
      return 2;
    case Dtype::fp8_e4m3:
    case Dtype::int8:
      break;
  }
  return 1;
}

std::int64_t element_bytes(OutputType output) {
  switch (output) {
    case OutputType::fp64:
      return 8;
    case OutputType::fp32:
    case OutputType::int32:
      return 4;
    case OutputType::bf16:
    case OutputType::fp16:
      break;
  }
  return 2;
}

std::string to_string(Pass pass) { return word_for(pass_names, pass); }
std::string to_string(Dtype dtype) { return word_for(dtype_names, dtype); }

std::string to_string(OutputType output) {
  switch (output) {
    case OutputType::fp64:
      return "fp64";
    case OutputType::fp32:
      return "fp32";
    case OutputType::bf16:
      return "bf16";
    case OutputType::fp16:
      return "fp16";
    case OutputType::int32:
      break;
  }
  return "int32";
}

std::vector<std::string> all_passes() { return words_of(pass_names); }
std::vector<std::string> all_dtypes() { return words_of(dtype_names); }

Pass pass_from(std::string_view text) { return value_of(pass_names, text, "pass"); }
Dtype dtype_from(std::string_view text) { return value_of(dtype_names, text, "dtype"); }

void require_possible(const Problem& problem) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  const auto fits = [&](std::int64_t rows, std::int64_t columns) {
    return rows <= limit / 8 / columns && rows * columns <= limit / 8 / problem.batch;
  };
  for (const auto& [name, size] : {std::pair{"m", problem.m}, {"n", problem.n}, {"k", problem.k}})
    if (size < 1) core::usage_error(fmt::format("{} = {}: a matrix size must be at least 1", name, size));
  if (problem.batch < 1)
    core::usage_error(fmt::format("batch = {}: expected 1 product or more", problem.batch));
  if (!fits(problem.m, problem.k) || !fits(problem.k, problem.n) || !fits(problem.m, problem.n))
    core::usage_error(fmt::format("m = {}, n = {}, k = {}{}: an operand would exceed 2^62 bytes", problem.m,
                                  problem.n, problem.k,
                                  problem.batch > 1 ? fmt::format(", batch = {}", problem.batch) : ""));
}

}  // namespace assay::workload
