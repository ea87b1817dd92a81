// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host_gemm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "gemm/check.hpp"
#include "gemm/efficiency_metric.hpp"
#include "harness/core/measure.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::gemm {
namespace {

constexpr std::int64_t alignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

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

HostGemm::HostGemm(const machine::Machine& machine, const Request& request, int threads)
    : cpu_(machine.cpu),
      request_(request),
      site_(host::choose_cpus(threads, -1)),
      sets_(operand_sets(request.problem, request.cache, machine.last_level_cache_bytes())),
      memory_(static_cast<std::size_t>(sets_ * set_bytes(request.problem)), -1, host::Pages::transparent),
      product_(workload::host_library(request.problem.dtype).prepare(request.problem, threads)) {
  const Problem& problem = request.problem;
  for (std::int64_t set = 0; set < sets_; ++set) {
    const workload::HostOperands operands = operands_in(memory_, problem, set);
    const Recipes pair = recipes(problem, request.data, static_cast<int>(set));
    fill(pair.a, operands.a, problem.m * problem.k, threads);
    fill(pair.b, operands.b, problem.k * problem.n, threads);
    // All ones is NaN in every float type and -1 as int32: an output that was never written is wrong, also
    // for zeros.
    std::memset(operands.c, 0xff, static_cast<std::size_t>(problem.output_bytes()));
  }
}

core::Timing HostGemm::run(std::int64_t iterations) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < iterations; ++i) {
    product_->multiply(operands_in(memory_, request_.problem, next_));
    last_ = next_;
    next_ = next_ + 1 == sets_ ? 0 : next_ + 1;
  }
  return {.seconds = core::seconds_since(start)};
}

core::Verification HostGemm::verify_set(std::int64_t set) const {
  const std::byte* output = operands_in(memory_, request_.problem, set).c;
  std::vector<OutputRow> rows;
  for (const std::int64_t row : rows_to_sample(request_.problem.m))
    rows.push_back(read_row(request_.problem, output, row));
  return check(request_.problem, request_.data, static_cast<int>(set),
               summarize(request_.problem, output, site_.threads()), rows, site_.threads());
}

core::Verification HostGemm::verify() {
  // Set 0 gives the digest, the same one in every run; the set written last is checked too.
  core::Verification first = verify_set(0);
  if (first.result != core::Verification::Result::right || last_ == 0) return first;
  core::Verification last = verify_set(last_);
  if (last.result == core::Verification::Result::right) return first;
  last.why = fmt::format("operand set {}: {}", last_, last.why);
  return last;
}

std::vector<core::Metric> HostGemm::metrics(const core::Measurement& measurement) {
  const auto peak = host_peak(cpu_, request_.problem.dtype, site_, peak_source_);
  if (!peak) return {};
  peak_source_ = peak->source;
  return efficiency_metrics(request_.problem.flops(), measurement.interval, peak->tflops);
}

std::vector<core::Fact> HostGemm::facts() {
  std::vector<core::Fact> facts = counters_.facts();
  facts.emplace_back("library", workload::host_library(request_.problem.dtype).version());
  facts.emplace_back("algorithm", product_->algorithm());
  facts.emplace_back("operand_sets", sets_);
  facts.emplace_back("huge_page_bytes", memory_.huge_page_bytes());
  facts.emplace_back("accumulate", "no: D = A B");
  facts.emplace_back("peak_source", peak_source_);
  return facts;
}

}  // namespace assay::gemm
