// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/kept_tests.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace assay::campaign {
namespace {

std::filesystem::path new_file(const std::string& name) {
  std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(file);
  return file;
}

TEST(KeptTests, AreThereForTheNextStartInTheirOrder) {
  const std::filesystem::path file = new_file("kept-order.jsonl");
  {
    KeptTests kept(file);
    EXPECT_EQ(kept.find({"a", "b"}, 1), nullptr);
    kept.add({{"a", "b"}, true, ""});
    kept.add({{"a", "b", "c"}, false, "all_reduce: wrong"});
    kept.add({{"a", "b"}, false, "slow"});
  }
  const KeptTests kept(file);
  EXPECT_TRUE(kept.find({"a", "b"}, 1)->passed);
  EXPECT_FALSE(kept.find({"a", "b"}, 2)->passed);
  EXPECT_EQ(kept.find({"a", "b"}, 3), nullptr);
  EXPECT_EQ(kept.why_failed({"a", "b"}), "slow");
  EXPECT_EQ(kept.why_failed({"a", "b", "c"}), "all_reduce: wrong");
  EXPECT_EQ(kept.why_failed({"a", "c"}), "");
  EXPECT_EQ(kept.last_failure(), "slow");
}

TEST(KeptTests, ATornLineIsTestedAgain) {
  const std::filesystem::path file = new_file("kept-torn.jsonl");
  KeptTests(file).add({{"a", "b"}, true, ""});
  std::ofstream(file, std::ios::app) << R"({"nodes":["a","b"],"pas)";
  KeptTests kept(file);
  EXPECT_NE(kept.find({"a", "b"}, 1), nullptr);
  EXPECT_EQ(kept.find({"a", "b"}, 2), nullptr);
  kept.add({{"a", "b"}, false, "slow"});
  EXPECT_NE(KeptTests(file).find({"a", "b"}, 2), nullptr);
}

}  // namespace
}  // namespace assay::campaign
