// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/corruption.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/error.hpp"

namespace assay::gemm {
namespace {

constexpr std::size_t listed_in_facts = 16;
constexpr std::array<std::pair<const char*, const char*>, 3> fixed{
    {{"data", "integer"}, {"cache", "hot"}, {"algorithm", "library"}}};

bool is_fixed(const core::Axis& axis) {
  return std::ranges::any_of(fixed, [&](const auto& one) { return axis.name == one.first; });
}

core::Axis number(std::string name, std::string meaning, std::int64_t value) {
  return {.name = std::move(name), .meaning = std::move(meaning), .values = {value}};
}

std::string first_wrong(const Problem& problem, const integrity::MismatchLog& wrong) {
  return describe(problem, integrity::listed_mismatches(wrong).front());
}

}  // namespace

std::vector<core::Axis> corruption_axes(const MatmulSweep& sweep) {
  std::vector<core::Axis> axes = matmul_axes(sweep);
  std::erase_if(axes, is_fixed);
  return axes;
}

Request corruption_request(const core::Point& point) {
  core::Point whole = point;
  for (const auto& [axis, value] : fixed) whole.set(axis, value);
  return matmul_request(whole);
}

std::vector<core::Axis> self_test_axes(const MatmulSweep& sweep) {
  std::vector<core::Axis> axes = corruption_axes(sweep);
  std::erase_if(axes, [](const core::Axis& axis) { return axis.name != "m" && axis.name != "dtype"; });
  axes.push_back(number("faults", "planted of each kind in an iteration, 1 to 1000", 4));
  axes.push_back(number("seed", "of what is planted where", 1));
  return axes;
}

Request self_test_request(const core::Point& point) {
  core::Point square = point;
  square.set("n", std::int64_t{0}).set("k", std::int64_t{0}).set("layout", "forward");
  return corruption_request(square);
}

SelfTestDose dose_of(const core::Point& point) {
  const std::int64_t each = point.integer("faults");
  if (each < 1 || each > 1000) core::usage_error(fmt::format("faults={}: expected 1 to 1000", each));
  return {static_cast<int>(each), static_cast<std::uint64_t>(point.integer("seed"))};
}

core::Verification judge_corruption(const Problem& problem, const CorruptionFound& found) {
  using enum core::Verification::Result;
  const std::string digest = to_text(found.digest);
  if (found.products == 0) return {not_checked, "nothing ran", {}};
  const std::string located = describe(found.located);
  if (found.wrong.count > 0)
    return {
        wrong,
        fmt::format("{} of {} elements of {} products are wrong: first {}; checksums of the last product: {}",
                    found.wrong.count, found.products * problem.m * problem.n, found.products,
                    first_wrong(problem, found.wrong), located.empty() ? "right" : located),
        digest};
  if (!found.located.clean())
    return {
        wrong,
        fmt::format("the comparison with the product computed again saw nothing, the host's checksums do: {}",
                    located),
        digest};
  return {right,
          fmt::format(
              "{} products: every element bit by bit as computed with whole numbers; {} row and {} column "
              "checksums of the last agree",
              found.products, problem.m, problem.n),
          digest};
}

std::vector<core::Metric> corruption_metrics(const Problem& problem, const CorruptionFound& found) {
  const double bytes = static_cast<double>(found.products) * static_cast<double>(problem.output_bytes());
  return {{.name = "verified_bytes", .unit = "B", .value = bytes},
          {.name = "wrong_elements", .unit = "", .value = static_cast<double>(found.wrong.count)}};
}

std::vector<core::Fact> corruption_facts(const Problem& problem, const CorruptionFound& found) {
  std::vector<core::Fact> facts{{"products", found.products}};
  const auto listed = integrity::listed_mismatches(found.wrong);
  for (std::size_t i = 0; i < std::min(listed.size(), listed_in_facts); ++i)
    facts.emplace_back(fmt::format("wrong_element_{}", i + 1), describe(problem, listed[i]));
  if (!found.located.clean()) facts.emplace_back("checksums", describe(found.located));
  return facts;
}

std::string describe(const Problem& problem, const integrity::Mismatch& wrong) {
  const auto at = static_cast<std::int64_t>(wrong.address);
  return fmt::format("({}, {}): expected {:#x}, got {:#x}, xor {:#x}", at / problem.n, at % problem.n,
                     wrong.expected, wrong.read, wrong.expected ^ wrong.read);
}

}  // namespace assay::gemm
