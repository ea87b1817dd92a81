// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace assay::integrity {

void note(MismatchLog& log, std::uint64_t address, std::uint64_t expected, std::uint64_t read) {
  if (log.count < MismatchLog::capacity) log.listed[log.count] = {address, expected, read};
  ++log.count;
}

void add(MismatchLog& log, const MismatchLog& other) {
  const std::vector<Mismatch> theirs = listed_mismatches(other);
  const std::uint64_t held = std::min<std::uint64_t>(log.count, MismatchLog::capacity);
  const std::size_t taken = std::min<std::size_t>(theirs.size(), MismatchLog::capacity - held);
  std::copy_n(theirs.begin(), taken, log.listed + held);
  log.count += other.count;
}

std::vector<int> flipped_bits(std::uint64_t expected, std::uint64_t read) {
  std::vector<int> bits;
  for (std::uint64_t left = expected ^ read; left != 0; left &= left - 1)
    bits.push_back(std::countr_zero(left));
  return bits;
}

std::string describe(const Mismatch& mismatch) {
  return fmt::format("{:#x}: expected {:#018x}, read {:#018x}, flipped bits {}", mismatch.address,
                     mismatch.expected, mismatch.read,
                     fmt::join(flipped_bits(mismatch.expected, mismatch.read), " "));
}

std::vector<Mismatch> listed_mismatches(const MismatchLog& log) {
  const std::uint64_t listed = std::min<std::uint64_t>(log.count, MismatchLog::capacity);
  std::vector<Mismatch> sorted(log.listed, log.listed + listed);
  std::sort(sorted.begin(), sorted.end(),
            [](const Mismatch& a, const Mismatch& b) { return a.address < b.address; });
  return sorted;
}

std::string describe(const MismatchLog& log, std::size_t most) {
  if (log.count == 0) return {};
  std::string text = fmt::format("{} {}", log.count, log.count == 1 ? "word differs" : "words differ");
  const std::vector<Mismatch> listed = listed_mismatches(log);
  for (std::size_t i = 0; i < std::min(most, listed.size()); ++i)
    text += (i == 0 ? ": " : "; ") + describe(listed[i]);
  if (log.count > most) text += "; ...";
  return text;
}

}  // namespace assay::integrity
