// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_probe.hpp"

#include <fmt/format.h>

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

}  // namespace assay::memory
