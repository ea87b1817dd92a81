// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// docs/reference/files.md has every key of the files that users write: a reader that meets a key it does not
// know lists those that it knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "harness/front/cli/tests/said.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

/// The text between "## NAME" and the next section.
std::string section_of(const std::string& page, const std::string& name) {
  const std::size_t begin = page.find("\n## " + name + "\n");
  EXPECT_NE(begin, std::string::npos) << name;
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

/// "ranks", "order" of "...: unknown key (expected ranks, order)".
std::vector<std::string> expected_keys(const std::string& message) {
  const std::string opening = "unknown key (expected ";
  const std::size_t begin = message.find(opening);
  EXPECT_NE(begin, std::string::npos) << message;
  std::vector<std::string> keys;
  if (begin == std::string::npos) return keys;
  const std::size_t end = message.find(')', begin);
  for (std::size_t at = begin + opening.size(); at < end;) {
    const std::size_t comma = std::min(message.find(", ", at), end);
    keys.push_back(message.substr(at, comma - at));
    at = comma + 2;
  }
  return keys;
}

struct Reference {
  std::string section, command;
  std::vector<std::string> texts;  // each with a key that no reader knows, in one of the file's tables
};

const std::string zone = "preset = 'ai-zone'\nleaves = 2\n";
const std::string work = "ranks = 2\n[[stream]]\n";
const std::string stage = "[[stage]]\nname = 's'\non = 'nodes'\n";

std::vector<std::string> fabrics() {
  std::vector<std::string> texts;
  for (const std::string preset : {"star", "ai-zone", "data-centre", "rail", "fat-tree", "links"})
    texts.push_back("preset = '" + preset + "'\nzzz = 1\n");
  for (const std::string table :
       {"link", "host", "switch", "tier.leaf", "routing", "[failed]", "[degraded]", "[measured]"})
    texts.push_back(zone + "[" + table + "]\nzzz = 1\n");
  texts.push_back(zone + "[admission]\nzzz = 1\n");
  texts.push_back(zone + "congestion = 'dcqcn'\n[dcqcn]\nzzz = 1\n");
  return texts;
}

std::vector<Reference> references() {
  return {{"Fabric", "fabric describe ", fabrics()},
          {"Workload",
           "fabric simulate " + std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric/zone-128.toml ",
           {"zzz = 1\nranks = 2\n", "[[job]]\nzzz = 1\n", work + "zzz = 1\n",
            work + "[[stream.op]]\ncompute_us = 1\nzzz = 1\n",
            work + "[[stream.op]]\ncollective = 'all_reduce'\nzzz = 1\n",
            work + "[[stream.op]]\ncollective = 'all_to_all_v'\nzzz = 1\n",
            work + "[[stream.op]]\npattern = 'shift'\nzzz = 1\n",
            work + "[[stream.op]]\npattern = 'permutation'\nzzz = 1\n"}},
          {"Campaign",
           "campaign --dry-run --nodes h1 ",
           {"zzz = 1\n" + stage, stage + "zzz = 1\n", stage + "[stage.burn_in]\nzzz = 1\n"}},
          {"Rates",
           "reliability --gpus 8 --rates ",
           {"zzz = 1\n", "[[component]]\nname = 'gpu'\nfailures = 1\nzzz = 1\n",
            "[[component]]\nname = 'gpu'\nfailures = 1\n[[domain]]\nname = 'rack'\nzzz = 1\n",
            "[[component]]\nname = 'gpu'\nfailures = 1\n[early_life]\nearly = 1\nzzz = 1\n"}}};
}

TEST(FileReference, HasEveryKeyThatReadersKnow) {
  const results::test::TemporaryFolder folder;
  const std::string page = tests::text_of(std::string(ASSAY_SOURCE_DIR) + "/docs/reference/files.md");
  for (const Reference& reference : references()) {
    const std::string section = section_of(page, reference.section);
    for (const std::string& text : reference.texts) {
      std::ofstream(folder.path() / "file.toml") << text;
      const tests::Said said = tests::assay_in(folder.path().string(), reference.command + "file.toml");
      EXPECT_EQ(said.exit_code, 2) << text;
      for (const std::string& key : expected_keys(said.text))
        EXPECT_THAT(section,
                    testing::AnyOf(testing::HasSubstr("`" + key + "`"), testing::HasSubstr("[" + key + "]"),
                                   testing::HasSubstr("[" + key + ".NAME]")))
            << "docs/reference/files.md, " << reference.section << ", of\n"
            << text;
    }
  }
}

TEST(HealthChecksPage, HasTheTableThatAssayCheckLists) {
  const results::test::TemporaryFolder folder;
  const tests::Said said = tests::assay_in(folder.path().string(), "check --list --format markdown");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  const std::size_t table = said.text.find("| check");
  ASSERT_NE(table, std::string::npos) << said.text;
  std::string rows = said.text.substr(table);
  while (rows.ends_with("\n")) rows.pop_back();
  EXPECT_THAT(tests::text_of(std::string(ASSAY_SOURCE_DIR) + "/docs/reference/health-checks.md"),
              testing::HasSubstr("<!-- checks: begin -->\n" + rows + "\n<!-- checks: end -->"));
}

}  // namespace
}  // namespace assay::cli
