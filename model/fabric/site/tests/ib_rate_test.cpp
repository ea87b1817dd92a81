// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ib_rate.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay::model::fabric::site {
namespace {

TEST(IbRate, ReadsEverySpeedAtEveryWidth) {
  const std::map<std::string, double> lanes{{"SDR", 2},    {"DDR", 4},     {"QDR", 8},
                                            {"FDR10", 10}, {"FDR", 13.64}, {"EDR", 25},
                                            {"HDR", 50},   {"NDR", 100},   {"XDR", 200}};
  for (const auto& [name, rate] : lanes)
    for (const int width : {1, 2, 4, 8, 12}) {
      const std::string word = std::to_string(width) + "x" + name;
      for (const std::string& rest : {" lid 7 " + word, " lid 7 " + word + " s=1 w=2 v=4", "(c1) # " + word,
                                      " lid 7 " + word + " s=1 w=2 v=4 e=8", " lid 7 " + word + " slot 3",
                                      " lid 7 " + word + " (scp)"}) {
        EXPECT_DOUBLE_EQ(ib_rate(rest).gbit_per_s, width * rate) << rest;
        EXPECT_EQ(ib_rate(rest).stated, word) << rest;
        EXPECT_FALSE(ib_rate(rest).by_speed_code) << rest;
      }
    }
}

TEST(IbRate, NamesWhatItDoesNotKnow) {
  for (const char* word : {"4x???", "??NDR", "?????", "4xGDR", "3xNDR", "4xNDR200", "x", "4x", "xNDR",
                           "4XNDR", "fast", "99999999999xNDR"}) {
    const IbRate rate = ib_rate(" lid 7 " + std::string(word));
    EXPECT_EQ(rate.gbit_per_s, 0) << word;
    EXPECT_EQ(rate.stated, word);
  }
  EXPECT_EQ(ib_rate(" lid 7").stated, "");
  EXPECT_EQ(ib_rate("(c1) ").stated, "");
  EXPECT_EQ(ib_rate("").stated, "");
}

TEST(IbRate, ReadsCodesWhereThereIsNoWord) {
  EXPECT_DOUBLE_EQ(ib_rate(" lid 7 s=4 w=2 v=4 e=8").gbit_per_s, 400);
  EXPECT_DOUBLE_EQ(ib_rate(" lid 7 s=4 w=16 v=4 e=4").gbit_per_s, 100);
  EXPECT_DOUBLE_EQ(ib_rate(" lid 7 s=4 w=4 v=4 e=16").gbit_per_s, 1600);
  EXPECT_DOUBLE_EQ(ib_rate(" lid 7 4x??? s=4 w=2 v=4 e=16").gbit_per_s, 800) << "XDR of a tool before it";
  const IbRate old = ib_rate(" lid 7 s=2 w=8 v=4");
  EXPECT_DOUBLE_EQ(old.gbit_per_s, 48);
  EXPECT_TRUE(old.by_speed_code);
  EXPECT_EQ(old.stated, "s=2 w=8");
  for (const char* rest : {" lid 7 s=4 w=2 e=32", " lid 7 w=2", " lid 7 s=4", " lid 7 s=0 w=0 e=0",
                           " lid 7 4x??? s=4 w=2", " lid 7 s=x w=2"})
    EXPECT_EQ(ib_rate(rest).gbit_per_s, std::string(rest).ends_with("e=32") ? 32 : 0) << rest;
}

}  // namespace
}  // namespace assay::model::fabric::site
