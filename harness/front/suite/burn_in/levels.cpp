// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::suite {
namespace {

constexpr const char* plan_of_levels = "levels";

std::vector<Level> make_levels() {
  const std::string_view self_tests = "*.corruption_self_test", products = "gemm.cuda.node_matmul",
                         reads = "memory.cuda.read", ramp = "gemm.cuda.power_ramp",
                         copies = "offload.cuda.*copy", corruption = "*.corruption",
                         memory = "memory.*.corruption";
  return {{"quick",
           "self-tests, power and memory bandwidth against their limits",
           3,
           1,
           {self_tests, products, reads, memory}},
          {"medium",
           "and a power ramp, copies, every probe for corruption once",
           15,
           1,
           {self_tests, products, reads, ramp, copies, corruption}},
          {"long", "and patterns over nearly all memory, in rounds", 60, 0, {}},
          {"extended", "the same for four hours", 240, 0, {}}};
}

}  // namespace

std::span<const Level> levels() {
  static const std::vector<Level> all = make_levels();
  return all;
}

const Level& find_level(const std::string& name) {
  const auto level = std::ranges::find(levels(), std::string_view(name), &Level::name);
  if (level != levels().end()) return *level;
  std::string known;
  for (const Level& one : levels()) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  core::usage_error(fmt::format("--level: no level is named '{}' (expected one of {})", name, known));
}

void take_level(const Level& level, BurnInOptions& options) {
  constexpr double minute_s = 60;
  const bool own_end = options.end.for_s > 0 || options.end.rounds > 0 || !options.end.dose.empty();
  if (own_end || !options.run.plan.empty() || !options.run.filters.empty())
    core::usage_error(
        "--level: it has a plan, a filter and an end of its own (expected no --plan, --filter, --for, "
        "--rounds, --dose)");
  options.run.plan = plan_of_levels;
  options.run.filters.assign(level.filters.begin(), level.filters.end());
  options.end.for_s = level.minutes * minute_s;
  options.end.rounds = level.rounds;
}

std::string announcement(const Level& level, const PlanSize& size) {
  const double round_min = size.budget_s / 60;
  const std::string rounds =
      level.rounds > 0 ? fmt::format("{} round{}", level.rounds, level.rounds > 1 ? "s" : "") : "rounds";
  return fmt::format(
      "level {}: {}\npredicted  {} of {} points, at most {:.1f} min each by their budgets; no point "
      "begins after {:g} min\n",
      level.name, level.about, rounds, size.points, round_min, level.minutes);
}

}  // namespace assay::suite
