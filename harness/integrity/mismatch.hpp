// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Words that did not read back as written: an exact count, and a bounded list with address, expected, read
// and the bits that flipped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::integrity {

struct Mismatch {
  std::uint64_t address;  // of an 8-byte word: device address, or offset or position where the case says so
  std::uint64_t expected;
  std::uint64_t read;
};

/// Filled by kernels; in device memory. `count` is exact, the first `capacity` found are listed, in no order.
struct MismatchLog {
  static constexpr std::uint32_t capacity = 256;
  std::uint64_t count;
  Mismatch listed[capacity];
};

/// On the host: counts it, and lists it while there is space.
void note(MismatchLog& log, std::uint64_t address, std::uint64_t expected, std::uint64_t read);
/// Adds the mismatches that another thread found.
void add(MismatchLog& log, const MismatchLog& other);

/// Bit numbers that differ, lowest first.
std::vector<int> flipped_bits(std::uint64_t expected, std::uint64_t read);

/// "0x7f0000001000: expected 0x..., read 0x..., flipped bits 3 17".
std::string describe(const Mismatch& mismatch);

/// The listed ones sorted by address.
std::vector<Mismatch> listed_mismatches(const MismatchLog& log);

/// "2 words differ: ...; ..." with at most `most` of them; empty when none differ.
std::string describe(const MismatchLog& log, std::size_t most);

}  // namespace assay::integrity
