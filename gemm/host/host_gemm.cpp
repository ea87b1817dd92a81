// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host/host_gemm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>

#include "gemm/check/check.hpp"
#include "gemm/efficiency_metric.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::gemm {
namespace {

constexpr std::int64_t alignment = 64;

std::int64_t aligned(std::int64_t bytes) { return core::rounded_up(bytes, alignment); }

std::int64_t set_bytes(const Problem& problem) {
  return aligned(problem.a_bytes()) + aligned(problem.b_bytes()) + aligned(problem.output_bytes());
}

/// Set number `set` within the memory of all sets.
workload::HostOperands operands_in(const host::Arena& arena, const Problem& problem, std::int64_t set) {
  std::byte* a = arena.data() + set * set_bytes(problem);
  std::byte* b = a + aligned(problem.a_bytes());
  return {a, b, b + aligned(problem.b_bytes())};
}

}  // namespace

core::Axis threads_axis(const machine::Machine& machine) {
  const std::int64_t all = std::max(1, machine.cpu.threads);
  return {.name = "threads",
          .meaning = "bound OpenMP threads",
          .values = {all},
          .choices = {},
          .aliases = {{"all", all}}};
}

std::int64_t operand_sets(const Problem& problem, CacheState cache, std::int64_t cache_bytes) {
  if (cache == CacheState::hot) return 1;
  const std::int64_t bytes = set_bytes(problem);
  return std::max<std::int64_t>(1, (3 * cache_bytes + bytes - 1) / bytes);
}

std::optional<std::string> host_unsupported(const machine::Machine& machine, const Request& request) {
  if (request.algorithm == AlgorithmChoice::best)
    return "host libraries offer one algorithm a problem: there are no candidates to choose from";
  if (const auto reason = workload::host_library(request.problem.dtype).unsupported(request.problem))
    return reason;
  const std::int64_t sets = operand_sets(request.problem, request.cache, machine.last_level_cache_bytes());
  const std::int64_t needed = sets * set_bytes(request.problem);
  if (machine.memory.available_bytes > 0 && needed > machine.memory.available_bytes * 8 / 10)
    return fmt::format("{} operand set(s) need {:.1f} GB and {:.1f} GB of memory are available", sets,
                       static_cast<double>(needed) * 1e-9,
                       static_cast<double>(machine.memory.available_bytes) * 1e-9);
  return std::nullopt;
}

HostGemm::HostGemm(const Settings& settings, Site&)
    : cpu_(settings.cpu),
      request_(settings.request),
      threads_(host::choose_cpus(settings.threads, -1)),
      sets_(operand_sets(request_.problem, request_.cache, settings.cache_bytes)),
      memory_(static_cast<std::size_t>(sets_ * set_bytes(request_.problem)), -1, host::Pages::transparent),
      product_(workload::host_library(request_.problem.dtype).prepare(request_.problem, settings.threads)) {
  const Problem& problem = request_.problem;
  for (std::int64_t set = 0; set < sets_; ++set) {
    const workload::HostOperands operands = operands_in(memory_, problem, set);
    const Recipes pair = recipes(problem, request_.data, static_cast<int>(set));
    fill(pair.a, operands.a, problem.a_elements(), settings.threads);
    fill(pair.b, operands.b, problem.b_elements(), settings.threads);
    // All ones is NaN in every float type and -1 as int32: an output that was never written is wrong, also
    // for zeros.
    std::memset(operands.c, 0xff, static_cast<std::size_t>(problem.output_bytes()));
  }
}

core::Timing HostGemm::enqueue(std::int64_t iterations) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < iterations; ++i) {
    product_->multiply(operands_in(memory_, request_.problem, next_));
    last_ = next_;
    next_ = next_ + 1 == sets_ ? 0 : next_ + 1;
  }
  return {.seconds = core::seconds_since(start)};
}

core::Verification HostGemm::check_set(std::int64_t set) const {
  const std::byte* output = operands_in(memory_, request_.problem, set).c;
  std::vector<OutputRow> rows;
  for (const std::int64_t row : rows_to_sample(request_.problem))
    rows.push_back(read_row(request_.problem, output, row));
  return gemm::check(request_.problem, request_.data, static_cast<int>(set),
                     summarize(request_.problem, output, threads_.threads()), rows, threads_.threads());
}

core::Verification HostGemm::check() {
  return check_first_and_last(last_, [this](std::int64_t set) { return check_set(set); });
}

std::vector<core::Metric> HostGemm::metrics(const core::Measurement& measurement) {
  const auto peak = host_peak(cpu_, request_.problem.dtype, threads_, peak_source_);
  if (!peak) return {};
  peak_source_ = peak->source;
  return efficiency_metrics(request_.problem.flops(), measurement.interval, peak->tflops);
}

std::vector<core::Fact> HostGemm::facts() const {
  return {{"library", workload::host_library(request_.problem.dtype).version()},
          {"algorithm", product_->algorithm()},
          {"operand_sets", sets_},
          {"huge_page_bytes", memory_.huge_page_bytes()},
          {"accumulate", "no: D = A B"},
          {"peak_source", peak_source_}};
}

namespace {

struct HostMatmul : HostGemm {
  static constexpr std::string_view name = "gemm.host.matmul";
  static constexpr std::string_view measures =
      "FLOP rate of the host's GEMM library (oneDNN; a BLAS for fp64)";
  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    std::vector<core::Axis> axes =
        matmul_axes({.sizes = {std::int64_t{512}, std::int64_t{1024}, std::int64_t{2048}},
                     .dtypes = {"fp64", "fp32", "bf16", "int8"}});
    axes.push_back(threads_axis(machine));
    return axes;
  }
  static Settings settings(const core::Point& point, const machine::Machine& machine) {
    return HostGemm::settings(matmul_request(point), static_cast<int>(point.integer("threads")), machine);
  }
  using HostGemm::HostGemm;
};

struct HostTransformer : HostGemm {
  static constexpr std::string_view name = "gemm.host.transformer";
  static constexpr std::string_view measures =
      "FLOP rate of the GEMMs of one rank's transformer block, against tensor parallelism, on the host";
  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    std::vector<core::Axis> axes =
        transformer_axes({.models = {"llama3-8b"},
                          .tokens = {std::int64_t{256}},
                          .tps = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8},
                                  std::int64_t{16}, std::int64_t{32}, std::int64_t{64}},
                          .dtypes = {"bf16"}});
    axes.push_back(threads_axis(machine));
    return axes;
  }
  static Settings settings(const core::Point& point, const machine::Machine& machine) {
    return HostGemm::settings(transformer_request(point), static_cast<int>(point.integer("threads")),
                              machine);
  }
  using HostGemm::HostGemm;
};

struct HostAttention : HostGemm {
  static constexpr std::string_view name = "gemm.host.attention";
  static constexpr std::string_view measures =
      "FLOP rate of attention's two products of all heads, batched by oneDNN (fp64: one by one by a BLAS)";
  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    std::vector<core::Axis> axes = attention_axes({.batches = {std::int64_t{4}, std::int64_t{16}},
                                                   .seqs = {std::int64_t{128}, std::int64_t{512}},
                                                   .heads = {std::int64_t{128}},
                                                   .dtypes = {"fp32", "bf16"}});
    axes.push_back(threads_axis(machine));
    return axes;
  }
  static Settings settings(const core::Point& point, const machine::Machine& machine) {
    return HostGemm::settings(attention_request(point), static_cast<int>(point.integer("threads")), machine);
  }
  using HostGemm::HostGemm;
};

}  // namespace

std::vector<core::Case> host_gemm_cases(const machine::Machine& machine) {
  return {core::case_of<HostMatmul>(machine), core::case_of<HostTransformer>(machine),
          core::case_of<HostAttention>(machine)};
}

}  // namespace assay::gemm
