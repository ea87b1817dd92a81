// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of a transformer's vector kernels on the host: each thread has its own rows.
#include "memory/host/host_vector.hpp"

#include <fmt/format.h>

#include <cstring>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "harness/host/arena.hpp"
#include "memory/host/host_placement.hpp"

namespace assay::memory {
namespace {

class HostVector {
 public:
  using Site = host::HostSite;
  struct Settings : HostSettings {
    VectorProblem problem = {};
  };
  static constexpr std::string_view name = "memory.host.vector";
  static constexpr std::string_view measures =
      "host: bandwidth of a transformer's vector kernels (layer norm, softmax, GELU, residual, dropout, "
      "Adam)";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  // The processor has no arithmetic in fp16 that compilers use.
  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    std::vector<core::Axis> axes = vector_axes({"fp32", "bf16"}, std::int64_t{1} << 24);
    for (core::Axis& axis :
         std::vector{threads_axis(machine), numa_axis(machine), cpu_node_axis(), pages_axis({"transparent"})})
      axes.push_back(std::move(axis));
    return axes;
  }
  static Settings settings(const core::Point& point) {
    Settings made{host_settings(point), vector_problem(point)};
    made.bytes = made.problem.footprint();
    return made;
  }
  static core::Work work(const Settings& settings) { return vector_work(settings.problem); }
  static std::vector<core::Fact> derived(const Settings& settings, const machine::Machine& machine) {
    return {{core::names::cache_state, cache_state(machine, settings.bytes)},
            {core::tensor_bytes, settings.problem.tensor_bytes()}};
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    if (auto reason = cannot_place(machine, settings)) return reason;
    if (settings.problem.rows >= settings.place.threads) return std::nullopt;
    return fmt::format("elements={}: {} rows do not give each of {} threads one", settings.problem.elements(),
                       settings.problem.rows, settings.place.threads);
  }

  HostVector(const Settings& settings, host::HostSite& site)
      : problem_(settings.problem),
        threads_(settings.place.threads),
        stride_(core::rounded_up(static_cast<std::size_t>(4 * problem_.elements()), page) + array_gap),
        site_(site),
        arena_(4 * stride_, site.numa_node, settings.pages) {
    site_.threads.run([this](int rank) { first_touch(part_of(rank)); });
  }

  double enqueue(std::int64_t iterations) {
    const double seconds = site_.threads.run([this, iterations](int rank) {
      VectorPart part = part_of(rank);
      for (std::int64_t i = 1; i <= iterations; ++i) {
        if (problem_.is_adam()) {
          part.correction1 = adam_correction(adam_beta1, rounds_ + i);
          part.correction2 = adam_correction(adam_beta2, rounds_ + i);
        }
        loops_.run(problem_.kernel, problem_.type, part);
      }
    });
    rounds_ += iterations;
    return seconds;
  }

  core::Verification check() const {
    std::optional<std::string> wrong;
    const std::vector<std::int64_t> rows = rows_to_compare(problem_);
    for (const std::int64_t row : rows)
      if (!wrong) wrong = wrong_in_row(problem_, rows_from(row, 1), rounds_);
    return vector_verdict(problem_, rounds_, rows.size(), wrong);
  }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) const {
    return vector_metrics(problem_, measurement);
  }

  std::vector<core::Fact> facts() const {
    return {{"instruction_set", std::string(loops_.name)},
            {"footprint_bytes", problem_.footprint()},
            {"huge_page_bytes", arena_.huge_page_bytes()}};
  }

 private:
  static constexpr std::size_t page = 4096, array_gap = 17 * 64;  // as in stream.cpp

  std::byte* array(int which, std::int64_t first, std::int64_t element_bytes) const {
    return arena_.data() + static_cast<std::size_t>(which) * stride_ +
           static_cast<std::size_t>(first * element_bytes);
  }
  VectorPart rows_from(std::int64_t row, std::int64_t rows) const {
    VectorPart part{.rows = rows, .columns = problem_.columns, .first = row * problem_.columns};
    part.x = array(0, part.first, problem_.element_bytes());
    if (problem_.is_adam()) {
      part.p = reinterpret_cast<float*>(array(1, part.first, 4));
      part.m = reinterpret_cast<float*>(array(2, part.first, 4));
      part.v = reinterpret_cast<float*>(array(3, part.first, 4));
    } else {
      part.y = array(1, part.first, problem_.element_bytes());
      if (problem_.formula().inputs > 1) part.r = array(2, part.first, problem_.element_bytes());
    }
    return part;
  }
  VectorPart part_of(int rank) const {
    const std::int64_t first = problem_.rows * rank / threads_;
    return rows_from(first, problem_.rows * (rank + 1) / threads_ - first);
  }

  void first_touch(const VectorPart& part) const {
    const std::int64_t n = part.rows * part.columns;
    with_vector_type(problem_.type, [&](auto zero) {
      using T = decltype(zero);
      auto* const x = static_cast<T*>(const_cast<void*>(part.x));
      auto* const r = static_cast<T*>(const_cast<void*>(part.r));
      for (std::int64_t i = 0; i < n; ++i) x[i] = T(vector_input(part.first + i, 0));
      for (std::int64_t i = 0; r != nullptr && i < n; ++i) r[i] = T(vector_input(part.first + i, 1));
    });
    constexpr int spoilt = 0xff;  // NaN: what is never written is found
    if (part.y != nullptr && n > 0)
      std::memset(part.y, spoilt, static_cast<std::size_t>(n * problem_.element_bytes()));
    for (std::int64_t i = 0; part.p != nullptr && i < n; ++i) {
      part.p[i] = vector_input(part.first + i, 2);
      part.m[i] = part.v[i] = 0;
    }
  }

  VectorProblem problem_;
  std::int64_t threads_;
  std::size_t stride_;  // bytes from one array to the next
  host::HostSite& site_;
  host::Arena arena_;
  const VectorLoops& loops_ = *vector_loops().front();
  std::int64_t rounds_ = 0;
};

}  // namespace

std::vector<const VectorLoops*> vector_loops() {
  std::vector<const VectorLoops*> found;
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    found.push_back(&avx512_vector_loops);
  if (has_avx2) found.push_back(&avx2_vector_loops);
  found.push_back(&sse2_vector_loops);
  return found;
}

std::vector<core::Case> host_vector_cases(const machine::Machine& machine) {
  return {core::case_of<HostVector>(machine)};
}

}  // namespace assay::memory
