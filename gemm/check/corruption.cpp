// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/check/corruption.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "harness/integrity/detection.hpp"
#include "harness/integrity/probe_report.hpp"

namespace assay::gemm {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 3> fixed{
    {{"data", "integer"}, {"cache", "hot"}, {"algorithm", "library"}}};

bool is_fixed(const core::Axis& axis) {
  return std::ranges::any_of(fixed, [&](const auto& one) { return axis.name == one.first; });
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
  std::ranges::move(integrity::study_axes(), std::back_inserter(axes));
  return axes;
}

Request self_test_request(const core::Point& point) {
  core::Point square = point;
  square.set("n", std::int64_t{0}).set("k", std::int64_t{0}).set("layout", "forward");
  return corruption_request(square);
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
  return integrity::probe_metrics(
      static_cast<double>(found.products) * static_cast<double>(problem.output_bytes()), found.wrong);
}

std::vector<core::Fact> corruption_facts(const Problem& problem, const CorruptionFound& found) {
  std::vector<core::Fact> facts{{"products", found.products}};
  integrity::add_wrong_elements(facts, found.wrong,
                                [&](const auto& wrong) { return describe(problem, wrong); });
  if (!found.located.clean()) facts.emplace_back("checksums", describe(found.located));
  return facts;
}

std::string describe(const Problem& problem, const integrity::Mismatch& wrong) {
  const auto at = static_cast<std::int64_t>(wrong.address);
  return fmt::format("({}, {}): {}", at / problem.n, at % problem.n, integrity::bits_told(wrong));
}

}  // namespace assay::gemm
