// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every rule of the lint by a model that breaks it and nothing else.
#include "model/explain/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/search/tests/published.hpp"

namespace assay::model {
namespace {

using testing::HasSubstr;

/// Nothing to say against it.
constexpr Application sound = {.hidden = 16384,
                               .feedforward = 65536,
                               .seq_size = 2048,
                               .attn_heads = 128,
                               .attn_size = 128,
                               .num_blocks = 96};

std::vector<Remark> warnings(const Application& application, std::int64_t vocabulary = 0) {
  std::vector<Remark> all = lint(application, vocabulary);
  std::erase_if(all, [](const Remark& remark) { return !remark.warning; });
  return all;
}

TEST(Lint, HasNothingAgainstASoundModel) {
  EXPECT_TRUE(warnings(sound, 51200).empty());
  EXPECT_TRUE(lint(sound, h100_nvl8(0), Datatype::float16).empty());
  EXPECT_TRUE(explain_lint(sound, lint(sound, 0)).holds);
}

struct Broken {
  const char* rule;
  Application application;
  std::int64_t vocabulary;
  const char* key;
  const char* says;
};

Application with(std::int64_t Application::* member, std::int64_t value) {
  Application changed = sound;
  changed.*member = value;
  return changed;
}

class LintRule : public testing::TestWithParam<Broken> {};

TEST_P(LintRule, WarnsOnceAndSaysWhatToTake) {
  const auto found = warnings(GetParam().application, GetParam().vocabulary);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].key, GetParam().key);
  EXPECT_THAT(found[0].text, HasSubstr(GetParam().says));
  EXPECT_FALSE(explain_lint(GetParam().application, found).holds);
}

Application heads_of_100() {
  Application changed = sound;
  changed.attn_heads = 100;
  return changed;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, LintRule,
    testing::Values(Broken{"heads", heads_of_100(), 0, "attn_heads",
                           "100 heads cannot be split 8, 16, 32 ways: take a multiple of 8"},
                    Broken{"slices", with(&Application::feedforward, 65536 + 128), 0, "feedforward",
                           "split 8 ways 65664 is 8208 wide, not a multiple of 128; 65536 is the nearest"},
                    Broken{"tokens", with(&Application::seq_size, 2049), 0, "seq_size",
                           "2049 is not a multiple of 128: the last tile of its GEMMs is partly empty; 2048"},
                    Broken{"head", with(&Application::attn_size, 100), 0, "attn_size", "not a multiple of 8"},
                    Broken{
                        "blocks", with(&Application::num_blocks, 254), 0, "num_blocks",
                        "254 has the divisors 1 2 127 254: on powers of two of processors a pipeline is at "
                        "most 2 deep; 256 allows 256"},
                    Broken{"words", sound, 50257, "vocabulary", "50257 is not a multiple of 1024"}),
    [](const auto& rule) { return rule.param.rule; });

TEST(Lint, SaysWhereTheFeedforwardAloneForbidsADegree) {
  const auto found = warnings(with(&Application::feedforward, 65540));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].key, "feedforward");
  EXPECT_THAT(found[0].text, HasSubstr("65540 cannot be split 8, 16, 32 ways, as heads can"));
  EXPECT_THAT(found[1].text, HasSubstr("65540 is not a multiple of 128"));
}

TEST(Lint, OnASystemSaysThatTheDomainIsNotUsed) {
  const auto found = lint(heads_of_100(), h100_nvl8(0), Datatype::float16);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].key, "networks[0].size");
  EXPECT_EQ(found[0].text, "at most 4 of its 8 processors can split a block");
}

TEST(Lint, OnASystemSaysThatGemmsAreTooSmallForItsTable) {
  Application thin = sound;
  thin.hidden = 1024;
  thin.feedforward = 4096;
  thin.attn_size = 8;
  const auto found = lint(thin, h100_nvl8(0), Datatype::float16);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].key, "matrix");
  // 2 * 2048 * 1024 * 128
  EXPECT_THAT(found[0].text, HasSubstr("0.537 GFLOP: 10 % of peak in the table, 95 % for large ones"));
}

TEST(Lint, NotesWhatIsWorthKnowing) {
  const auto all = lint(with(&Application::attn_size, 96), 0);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(all[0].text, HasSubstr("128 heads of 96 make 12288, hidden is 16384"));
  EXPECT_THAT(all[1].text, HasSubstr("96 is not a multiple of 64"));
  EXPECT_THAT(all[2].text, HasSubstr("96 has 12 divisors"));
}

}  // namespace
}  // namespace assay::model
