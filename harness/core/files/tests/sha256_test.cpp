// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/sha256.hpp"

#include <gtest/gtest.h>

namespace assay::core {
namespace {

// FIPS 180-4 and NIST's examples.
TEST(Sha256, IsTheStandards) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfPiecesIsThatOfTheWhole) {
  Sha256 digest;
  for (const char* piece : {"a", "", "bc"}) digest.add(piece);
  EXPECT_EQ(digest.digits(), sha256("abc"));
}

TEST(Sha256, ItsPrefixIsTheFirstEightBytesBigEndian) { EXPECT_EQ(sha256_prefix("abc"), 0xba7816bf8f01cfeaU); }

}  // namespace
}  // namespace assay::core
