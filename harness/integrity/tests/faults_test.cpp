// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Planted faults are what they say, are seen by the comparison, and leave no trace.
#include "harness/integrity/faults.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "harness/integrity/digest.hpp"

namespace assay::integrity {
namespace {

/// A matrix of 4 x 8 elements of some width, each other than its neighbours.
struct Matrix {
  explicit Matrix(std::size_t element_width) : bytes(32 * element_width), width(element_width) {
    for (std::uint64_t at = 0; at < 32; ++at) elements().set(at, mix(at + 1));
  }
  Elements elements() { return {bytes.data(), width, 4, 8}; }
  std::vector<std::byte> bytes;
  std::size_t width;
};

TEST(FaultKinds, AreEachBitSeveralBitsAStuckRowAndNan) {
  const std::vector<FaultKind> kinds = fault_kinds(2, true);
  ASSERT_EQ(kinds.size(), 16u + 3);
  EXPECT_EQ(kinds.front().name(), "bit 0");
  EXPECT_EQ(kinds[15].name(), "bit 15");
  EXPECT_EQ(kinds[16].name(), "3 bits");
  EXPECT_EQ(kinds[17].name(), "stuck row");
  EXPECT_EQ(kinds[18].name(), "NaN");
  EXPECT_EQ(fault_kinds(8, false).size(), 64u + 2);
}

TEST(Faults, OfEveryKindAndWidthAreFoundExactlyAndTakenBack) {
  for (const std::size_t width : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
    Matrix matrix(width);
    const std::vector<std::byte> before = matrix.bytes;
    Matrix right(width);
    for (const FaultKind& kind : fault_kinds(width, true))
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Fault fault = draw(kind, matrix.elements(), 0x7f, seed);
        if (fault.changes.empty()) continue;  // the element was that NaN already
        {
          const PlantedFault planted(matrix.elements(), fault);
          MismatchLog log{};
          compare(right.elements(), matrix.elements(), log);
          EXPECT_TRUE(is_exactly(log, fault)) << width << ' ' << kind.name();
          EXPECT_EQ(log.count, fault.changes.size());
        }
        EXPECT_EQ(matrix.bytes, before) << width << ' ' << kind.name();
      }
  }
}

TEST(Faults, FlipAsManyBitsAsTheySay) {
  Matrix matrix(4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Fault one = draw({FaultKind::What::one_bit, 30}, matrix.elements(), 0, seed);
    EXPECT_EQ(one.changes.at(0).expected ^ one.changes.at(0).read, std::uint64_t{1} << 30);
    const Fault several = draw({FaultKind::What::several_bits}, matrix.elements(), 0, seed);
    EXPECT_EQ(std::popcount(several.changes.at(0).expected ^ several.changes.at(0).read), 3);
  }
}

TEST(Faults, AStuckRowRepeatsItsFirstElement) {
  Matrix matrix(4);
  const Fault fault = draw({FaultKind::What::stuck_row}, matrix.elements(), 0, 3);
  ASSERT_EQ(fault.changes.size(), 7u);
  const std::uint64_t first = fault.changes.front().address - 1;
  EXPECT_EQ(first % 8, 0u);
  for (const Mismatch& change : fault.changes) EXPECT_EQ(change.read, matrix.elements().bits(first));
}

TEST(Faults, ThatWouldChangeNothingAreNone) {
  Matrix matrix(2);
  for (std::uint64_t at = 0; at < 32; ++at) matrix.elements().set(at, 5);
  EXPECT_TRUE(draw({FaultKind::What::stuck_row}, matrix.elements(), 0, 1).changes.empty());
  EXPECT_TRUE(draw({FaultKind::What::nan}, matrix.elements(), 5, 1).changes.empty());
}

TEST(Faults, OfOneSeedAreTheSameAgain) {
  Matrix matrix(4);
  const FaultKind kind{FaultKind::What::several_bits};
  const Fault one = draw(kind, matrix.elements(), 0, 9), again = draw(kind, matrix.elements(), 0, 9),
              other = draw(kind, matrix.elements(), 0, 10);
  EXPECT_EQ(one.changes.at(0).read, again.changes.at(0).read);
  EXPECT_NE(one.changes.at(0).read, other.changes.at(0).read);
}

TEST(IsExactly, DemandsEveryChangeAndNoOther) {
  Fault fault;
  fault.changes = {{3, 0b1, 0b0}, {4, 0b1, 0b11}};
  MismatchLog log{};
  note(log, 4, 0b1, 0b11);
  EXPECT_FALSE(is_exactly(log, fault)) << "one of two";
  note(log, 3, 0b1, 0b0);
  EXPECT_TRUE(is_exactly(log, fault));
  note(log, 5, 0, 1);
  EXPECT_FALSE(is_exactly(log, fault)) << "one too many";
  MismatchLog elsewhere{};
  note(elsewhere, 3, 0b1, 0b0);
  note(elsewhere, 5, 0b1, 0b11);
  EXPECT_FALSE(is_exactly(elsewhere, fault));
}

}  // namespace
}  // namespace assay::integrity
