// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/slurm_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class SlurmText : public testing::Test {
 protected:
  SlurmText() { fs::create_directories(folder_ + "/leaves"); }
  ~SlurmText() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }

  std::string folder_ = testing::TempDir() + "slurm_text_" + std::to_string(getpid());
  std::string file_ = folder_ + "/topology.conf";
};

std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& text, const std::string& file) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const SlurmLine& line : slurm_lines(text, file)) pairs.emplace_back(line.place, line.text);
  return pairs;
}

TEST_F(SlurmText, IsTheFileWhereItIncludesNone) {
  write("topology.conf", "one # remark\r\n\n two \\\n three\n#\n");
  EXPECT_EQ(read_slurm_file(file_), "one # remark\r\n\n two \\\n three\n#\n");
  EXPECT_THAT(pairs_of(read_slurm_file(file_), file_),
              ElementsAre(Pair(file_ + ":1", "one "), Pair(file_ + ":3", " two   three")));
}

TEST_F(SlurmText, HoldsWhatItIncludesWhereverItIsReadAgain) {
  write("topology.conf", "before\nINCLUDE leaves/all.conf\nafter\n");
  write("leaves/all.conf", "include one.conf\ninclude ../last.conf\ninclude one.conf\n");
  write("leaves/one.conf", "in one\n");
  write("last.conf", "in last\n");
  const std::string text = read_slurm_file(file_);
  fs::remove_all(folder_);
  EXPECT_THAT(pairs_of(text, "topology.conf"),
              ElementsAre(Pair("topology.conf:1", "before"), Pair("leaves/one.conf:1", "in one"),
                          Pair("last.conf:1", "in last"), Pair("leaves/one.conf:1", "in one"),
                          Pair("topology.conf:3", "after")));
}

TEST_F(SlurmText, StaysAsItIsWhereItWasReadBefore) {
  write("topology.conf", "include leaves/one.conf\n");
  write("leaves/one.conf", "in one\n");
  const std::string text = read_slurm_file(file_);
  fs::remove_all(folder_ + "/leaves");
  write("topology.conf", text);
  EXPECT_EQ(read_slurm_file(file_), text);
}

TEST_F(SlurmText, EndsForFilesThatIncludeEachOther) {
  write("topology.conf", "include leaves/one.conf\n");
  write("leaves/one.conf", "include ../topology.conf\n");
  try {
    slurm_lines(read_slurm_file(file_), file_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("topology.conf:1: expected at most 64 included files"));
  }
}

TEST_F(SlurmText, NamesTheLineThatIncludesAFileThatIsNotThere) {
  write("topology.conf", "\ninclude leaves/none.conf\n");
  try {
    read_slurm_file(file_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("leaves/none.conf"));
    EXPECT_THAT(error.what(), HasSubstr("a file that " + file_ + ":2 includes"));
  }
}

}  // namespace
}  // namespace assay::core
