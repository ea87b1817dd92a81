// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/copy_probe.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::memory {
namespace {

constexpr std::size_t listed_in_facts = 16;

}  // namespace

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
  const auto bytes = static_cast<double>(found.rounds) * static_cast<double>(found.bytes_per_round);
  return {{.name = "verified_bytes", .unit = "B", .value = bytes},
          {.name = "wrong_elements", .unit = "", .value = static_cast<double>(found.wrong.count)}};
}

std::vector<core::Fact> copies_facts(const CopiesFound& found) {
  std::vector<core::Fact> facts{{"rounds", found.rounds}};
  const auto listed = integrity::listed_mismatches(found.wrong);
  for (std::size_t i = 0; i < std::min(listed.size(), listed_in_facts); ++i)
    facts.emplace_back(fmt::format("wrong_element_{}", i + 1), describe_word(listed[i]));
  return facts;
}

std::string describe_word(const integrity::Mismatch& wrong) {
  return fmt::format("offset {:#x}: expected {:#x}, got {:#x}, xor {:#x}", wrong.address, wrong.expected,
                     wrong.read, wrong.expected ^ wrong.read);
}

}  // namespace assay::memory
