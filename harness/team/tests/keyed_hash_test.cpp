// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/keyed_hash.hpp"

#include <gtest/gtest.h>

namespace assay::team {
namespace {

// RFC 4231, test cases 1, 2 and 6.
TEST(KeyedHash, IsHmacSha256) {
  EXPECT_EQ(to_hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      to_hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(KeyedHash, TakesAnEmptyKeyAndAnEmptyText) {
  EXPECT_EQ(to_hex(hmac_sha256("", "")), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(KeyedHash, HashesManyTextsWithOneKey) {
  const KeyedHash hash("Jefe");
  const std::string first = hash.of("what do ya want for nothing?");
  EXPECT_EQ(hash.of(""), hmac_sha256("Jefe", ""));
  EXPECT_EQ(hash.of("what do ya want for nothing?"), first);
}

TEST(KeyedHash, ComparesWholeSecrets) {
  EXPECT_TRUE(are_equal_secrets("", ""));
  EXPECT_TRUE(are_equal_secrets("abc", "abc"));
  EXPECT_FALSE(are_equal_secrets("abc", "abd"));
  EXPECT_FALSE(are_equal_secrets("abc", "ab"));
}

TEST(KeyedHash, DrawsAnotherSecretEachTime) {
  EXPECT_EQ(random_secret().size(), 32u);
  EXPECT_NE(random_secret(), random_secret());
}

}  // namespace
}  // namespace assay::team
