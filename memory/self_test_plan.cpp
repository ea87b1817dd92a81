// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/self_test_plan.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"

namespace assay::memory {

std::vector<core::Axis> self_test_axes(std::int64_t words) {
  std::vector<core::Axis> axes = integrity::study_axes();
  axes.insert(axes.begin(),
              {.name = "words", .meaning = "of 8 bytes that faults are planted in", .values = {words}});
  return axes;
}

std::uint64_t words_of(const core::Point& point) {
  const std::int64_t words = point.integer("words");
  if (words < 16 || words > (std::int64_t{1} << 27))
    core::usage_error(fmt::format("words={}: expected 16 to 2^27", words));
  return static_cast<std::uint64_t>(words / 16 * 16);
}

integrity::MismatchLog in_words(integrity::MismatchLog log) {
  for (integrity::Mismatch& mismatch : log.listed) mismatch.address /= 8;
  return log;
}

}  // namespace assay::memory
