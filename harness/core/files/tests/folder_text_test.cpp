// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/folder_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class FolderText : public testing::Test {
 protected:
  FolderText() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FolderText() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  std::string refusal() const {
    try {
      folder_as_text(folder_);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string folder_ = testing::TempDir() + "folder_text_" + std::to_string(getpid());
};

std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const NamedText& one : files_in_text(text)) pairs.emplace_back(one.name, one.text);
  return pairs;
}

TEST_F(FolderText, HasEachFileUnderItsName) {
  write("b", "two\nlines\n");
  write("a", "no line end");
  write("c", "");
  write(".hidden", "x");
  EXPECT_THAT(pairs_of(folder_as_text(folder_).value()),
              ElementsAre(Pair("a", "no line end\n"), Pair("b", "two\nlines\n\n"), Pair("c", "\n")));
}

TEST_F(FolderText, IsAlsoWhatTailPrintsOfSeveralFiles) {
  write("b", "two\n");
  write("a", "one\n");
  const std::string command = "cd / && tail -n +1 " + folder_ + "/a " + folder_ + "/b";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string printed(4096, '\0');
  printed.resize(std::fread(printed.data(), 1, printed.size(), pipe));
  ASSERT_EQ(::pclose(pipe), 0);
  EXPECT_THAT(pairs_of(printed), ElementsAre(Pair(folder_ + "/a", "one\n\n"), Pair(folder_ + "/b", "two\n")));
}

TEST_F(FolderText, IsOfFoldersOnly) {
  write("a", "==> \nx");
  EXPECT_FALSE(folder_as_text(folder_ + "/a"));
  EXPECT_FALSE(folder_as_text(folder_ + "/none"));
  for (const char* text : {"", "x\n==> a <==\n", "==> <==\n", "==>  <==\n", " ==> a <==\n"})
    EXPECT_THAT(files_in_text(text), testing::SizeIs(0)) << text;
}

TEST_F(FolderText, RefusesInOneLine) {
  EXPECT_THAT(refusal(), HasSubstr(folder_ + ": expected files, got an empty folder"));
  fs::create_directories(folder_ + "/inner");
  EXPECT_THAT(refusal(), HasSubstr(folder_ + "/inner"));
  fs::remove(folder_ + "/inner");
  write("a\nb", "x");
  EXPECT_THAT(refusal(), HasSubstr("expected names of files without line ends"));
}

}  // namespace
}  // namespace assay::core
