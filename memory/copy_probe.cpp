// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_probe.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/integrity/probe_report.hpp"

namespace assay::memory {

core::Verification judge_copies(const CopiesFound& found) {
  using enum core::Verification::Result;
  if (found.rounds == 0 || found.bytes_per_round == 0) return {not_checked, "nothing was copied", {}};
  if (found.wrong.count > 0)
    return {wrong,
            fmt::format("{} of {} words in {} rounds are wrong: first {}", found.wrong.count,
                        found.rounds * found.bytes_per_round / 8, found.rounds,
                        describe_word(integrity::listed_mismatches(found.wrong).front())),
            found.digest};
  return {right,
          fmt::format("{} rounds: all {} bytes read back as written", found.rounds, found.bytes_per_round),
          found.digest};
}

std::vector<core::Metric> copies_metrics(const CopiesFound& found) {
  return integrity::probe_metrics(
      static_cast<double>(found.rounds) * static_cast<double>(found.bytes_per_round), found.wrong);
}

std::vector<core::Fact> copies_facts(const CopiesFound& found) {
  std::vector<core::Fact> facts{{"rounds", found.rounds}};
  integrity::add_wrong_elements(facts, found.wrong, describe_word);
  return facts;
}

std::string describe_word(const integrity::Mismatch& wrong) {
  return fmt::format("offset {:#x}: {}", wrong.address, integrity::bits_told(wrong));
}

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
