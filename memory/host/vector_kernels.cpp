// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/vector_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"

namespace assay::memory {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 40;  // its bytes are far from overflowing

template <class T>
T element_at(const void* array, std::int64_t index) {
  return static_cast<const T*>(array)[index];
}

/// The inputs of one row as the type holds them.
struct Row {
  std::vector<double> x, r;
};

template <class T>
Row inputs_of(const VectorPart& part) {
  Row row;
  for (std::int64_t i = 0; i < part.columns; ++i) {
    row.x.push_back(static_cast<float>(static_cast<T>(vector_input(part.first + i, 0))));
    row.r.push_back(static_cast<float>(static_cast<T>(vector_input(part.first + i, 1))));
  }
  return row;
}

std::vector<double> normalised(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (const double one : x) mean += one / n;
  for (const double one : x) variance += (one - mean) * (one - mean) / n;
  std::vector<double> y;
  for (const double one : x)
    y.push_back((one - mean) / std::sqrt(variance + static_cast<double>(norm_epsilon)));
  return y;
}

std::vector<double> softmax(const std::vector<double>& x) {
  const double most = *std::ranges::max_element(x);
  double sum = 0;
  for (const double one : x) sum += std::exp(one - most);
  std::vector<double> y;
  for (const double one : x) y.push_back(std::exp(one - most) / sum);
  return y;
}

double by_element(VectorKernel kernel, const Row& row, std::size_t i, std::int64_t index) {
  const double x = row.x[i];
  if (kernel == VectorKernel::residual_add) return x + row.r[i];
  if (kernel == VectorKernel::dropout) return is_kept(index) ? x / 0.9 : 0;
  const double inner = static_cast<double>(gelu_slope) * (x + static_cast<double>(gelu_cubic) * x * x * x);
  return x / 2 * (1 + std::tanh(inner));
}

std::vector<double> expected(VectorKernel kernel, const VectorPart& part, const Row& row) {
  if (kernel == VectorKernel::layer_norm) return normalised(row.x);
  if (kernel == VectorKernel::softmax) return softmax(row.x);
  std::vector<double> y;
  for (std::size_t i = 0; i < row.x.size(); ++i)
    y.push_back(by_element(kernel, row, i, part.first + static_cast<std::int64_t>(i)));
  return y;
}

/// Half the distance to the next number of the type, and to zero where that is larger.
double rounding(VectorType type, double value) {
  if (type == VectorType::bf16) return std::abs(value) * 0x1p-8;
  if (type == VectorType::fp16) return std::max(std::abs(value) * 0x1p-11, 0x1p-24);
  return std::abs(value) * 0x1p-24;
}

std::string difference(std::string_view what, std::int64_t index, double is, double right) {
  return fmt::format("{} {} is {}, by the formula {}", what, index, is, right);
}

template <class T>
std::optional<std::string> wrong_output(const VectorProblem& problem, const VectorPart& part) {
  const Row row = inputs_of<T>(part);
  const std::vector<double> right = expected(problem.kernel, part, row);
  const double most = problem.kernel == VectorKernel::softmax ? *std::ranges::max_element(right) : 2;
  const bool by_row = problem.kernel == VectorKernel::layer_norm || problem.kernel == VectorKernel::softmax;
  const auto roundings = static_cast<double>(64 + (by_row ? part.columns / 4 : 0));  // 4 lanes add at least
  const double of_sums = roundings * 0x1p-24 * most;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double is = static_cast<float>(element_at<T>(part.y, at));
    if (!(std::abs(is - right[i]) <= rounding(problem.type, right[i]) + of_sums))
      return difference("element", part.first + at, is, right[i]);
  }
  return std::nullopt;
}

/// With one gradient in all iterations the moments and parameters have closed forms: the corrected step is
/// g / (|g| + epsilon) each time. A parameter keeps 1 / (1 - keep), a thousand, of its roundings.
template <class T>
std::optional<std::string> wrong_adam(const VectorPart& part, std::int64_t iterations) {
  constexpr double bound = 0x1p-14, bound_of_parameter = 0x1p-12;
  const auto n = static_cast<double>(iterations);
  const auto left = [&](float beta) { return std::pow(static_cast<double>(beta), n); };
  const double keep = left(adam_keep);
  const double most = static_cast<double>(adam_rate) / (1 - static_cast<double>(adam_keep));
  for (std::int64_t i = 0; i < part.columns; ++i) {
    const double g = static_cast<float>(static_cast<T>(vector_input(part.first + i, 0)));
    const double begun = vector_input(part.first + i, 2);
    const double step = g / (std::abs(g) + static_cast<double>(adam_epsilon));
    const double p = keep * begun - most * (1 - keep) * step;
    const double m = g * (1 - left(adam_beta1)), v = g * g * (1 - left(adam_beta2));
    if (!(std::abs(part.p[i] - p) <= bound_of_parameter * (std::abs(begun) + most)))
      return difference("parameter", part.first + i, part.p[i], p);
    if (!(std::abs(part.m[i] - m) <= bound * std::abs(g)))
      return difference("moment", part.first + i, part.m[i], m);
    if (!(std::abs(part.v[i] - v) <= bound * g * g))
      return difference("second moment", part.first + i, part.v[i], v);
  }
  return std::nullopt;
}

}  // namespace

std::int64_t VectorProblem::footprint() const {
  const std::int64_t typed = is_adam() ? 1 : formula().inputs + 1;
  return elements() * (typed * element_bytes() + (is_adam() ? 12 : 0));
}

std::vector<core::Axis> vector_axes(const std::vector<std::string>& types, std::int64_t most) {
  const std::vector<std::string> names(core::vector_kernel_names.begin(), core::vector_kernel_names.end());
  using core::Domain;
  using core::Value;
  std::vector<Value> sizes;
  for (std::int64_t size = std::int64_t{1} << 18; size <= most; size *= 4) sizes.emplace_back(size);
  return {
      {"kernel", "of a transformer's layer, or of its optimizer", Domain::words,
       std::vector<Value>(names.begin(), names.end()), names},
      {"dtype", "of inputs and output; adam: of the gradient", Domain::words, {Value(types.front())}, types},
      {"pass", "of a training step", Domain::words, {"forward"}, {"forward"}},
      {"elements", "rows times columns", Domain::integers, sizes},
      {"columns",
       "of a row, a multiple of 16: the hidden size, or the sequence of a softmax",
       Domain::integers,
       {std::int64_t{4096}}}};
}

VectorProblem vector_problem(const core::Point& point) {
  const auto place = [](const auto& names, const std::string& word) {
    return std::ranges::find(names, word) - names.begin();
  };
  const std::int64_t elements = point.integer("elements"), columns = point.integer("columns");
  if (columns < column_step || columns % column_step != 0 || columns > 65536)
    core::usage_error(fmt::format("columns={}: expected a multiple of 16, 16 to 65536", columns));
  if (elements < columns || elements % columns != 0 || elements > most_elements)
    core::usage_error(fmt::format("elements={}: expected whole rows, a multiple of columns={}, at most 2^40",
                                  elements, columns));
  const std::array<std::string, 3> types{"fp32", "bf16", "fp16"};
  return {.kernel = static_cast<VectorKernel>(place(core::vector_kernel_names, point.text("kernel"))),
          .type = static_cast<VectorType>(place(types, point.text("dtype"))),
          .rows = elements / columns,
          .columns = columns};
}

core::Work vector_work(const VectorProblem& problem) {
  const std::int64_t read_again = problem.is_adam() ? 12 * problem.elements() : 0;
  return {.bytes = static_cast<double>(problem.footprint() + read_again),
          .flops = static_cast<double>(problem.formula().flops) * static_cast<double>(problem.elements()),
          .bytes_counted =
              fmt::format("{}: every array read once, every result written once", problem.formula().text)};
}

std::vector<core::Metric> vector_metrics(const VectorProblem& problem, const core::Measurement& measurement) {
  const double gflop = vector_work(problem).flops * 1e-9;
  const core::QuantileInterval& seconds = measurement.interval;
  return {{.name = "gflop_per_s",
           .unit = "GFLOP/s",
           .value = gflop / seconds.estimate,
           .lower = gflop / seconds.upper,
           .upper = gflop / seconds.lower}};
}

float adam_correction(float beta, std::int64_t iteration) {
  return static_cast<float>(1 / (1 - std::pow(static_cast<double>(beta), static_cast<double>(iteration))));
}

std::optional<std::string> wrong_in_row(const VectorProblem& problem, const VectorPart& row,
                                        std::int64_t iterations) {
  return with_vector_type(problem.type, [&](auto zero) {
    using T = decltype(zero);
    return problem.is_adam() ? wrong_adam<T>(row, iterations) : wrong_output<T>(problem, row);
  });
}

std::vector<std::int64_t> rows_to_compare(const VectorProblem& problem) {
  constexpr std::int64_t most_compared = std::int64_t{1} << 22;
  const std::int64_t step = std::max<std::int64_t>(1, problem.elements() / most_compared);
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < problem.rows; row += step) rows.push_back(row);
  if (rows.back() != problem.rows - 1) rows.push_back(problem.rows - 1);
  return rows;
}

core::Verification vector_verdict(const VectorProblem& problem, std::int64_t iterations, std::size_t compared,
                                  const std::optional<std::string>& wrong) {
  using Result = core::Verification::Result;
  if (iterations == 0) return {Result::not_checked, "nothing ran", {}};
  if (wrong) return {Result::wrong, *wrong, {}};
  return {Result::right,
          fmt::format("{} of {} rows are within the bound of the formula", compared, problem.rows),
          {}};
}

}  // namespace assay::memory
