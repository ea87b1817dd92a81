// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/self_test_plan.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/error.hpp"

namespace assay::memory {
namespace {

core::Axis number_axis(std::string name, std::string meaning, std::int64_t value) {
  return {.name = std::move(name), .meaning = std::move(meaning), .values = {value}};
}

}  // namespace

std::vector<core::Axis> self_test_axes(std::int64_t words) {
  return {number_axis("words", "of 8 bytes that faults are planted in", words),
          number_axis("faults", "planted of each kind in an iteration, 1 to 1000", 4),
          number_axis("seed", "of what is planted where", 1)};
}

std::uint64_t words_of(const core::Point& point) {
  const std::int64_t words = point.integer("words");
  if (words < 16 || words > (std::int64_t{1} << 27))
    core::usage_error(fmt::format("words={}: expected 16 to 2^27", words));
  return static_cast<std::uint64_t>(words / 16 * 16);
}

integrity::StudyPlan study_plan(const core::Point& point) {
  const std::int64_t each = point.integer("faults");
  if (each < 1 || each > 1000) core::usage_error(fmt::format("faults={}: expected 1 to 1000", each));
  return {.seed = static_cast<std::uint64_t>(point.integer("seed")), .each = static_cast<int>(each)};
}

integrity::MismatchLog in_words(integrity::MismatchLog log) {
  for (integrity::Mismatch& mismatch : log.listed) mismatch.address /= 8;
  return log;
}

}  // namespace assay::memory
