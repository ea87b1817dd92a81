// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/core/error.hpp"

namespace assay::model {
namespace {

std::string complaint(const std::string& text) {
  try {
    json_from(text, "system.json");
  } catch (const core::Error& error) {
    return error.kind() == core::ErrorKind::usage ? error.what() : "not a usage error";
  }
  return "nothing";
}

std::string complaint_of_file(const std::string& path) {
  try {
    read_json(path);
  } catch (const core::Error& error) {
    return error.kind() == core::ErrorKind::usage ? error.what() : "not a usage error";
  }
  return "nothing";
}

TEST(ReadJson, GivesWhatTheFileSays) {
  const std::string path = testing::TempDir() + "assay_read_json.json";
  std::ofstream(path) << R"({"b": [1, {"x": 2}], "a": {"x": 3}})";
  EXPECT_EQ(read_json(path)["b"][1]["x"], 2);
  EXPECT_EQ(read_ordered_json(path).begin().key(), "b");
}

TEST(ReadJson, RefusesAKeyThatStandsTwiceInOneObjectAndSaysWhere) {
  EXPECT_EQ(complaint(R"({"hidden": 1, "hidden": 2})"),
            "system.json: hidden: this key stands twice, leave one");
  EXPECT_EQ(complaint(R"({"mem1": {"GiB": 80, "GBps": 1, "GiB": 80}})"),
            "system.json: mem1.GiB: this key stands twice, leave one");
  EXPECT_EQ(
      complaint(R"({"networks": [{"ops": {"p2p": [1, null]}, "size": 8}, [], 3, {"size": 1, "size": 2}]})"),
      "system.json: networks[3].size: this key stands twice, leave one");
}

TEST(ReadJson, TakesOneKeyInSeveralObjects) {
  EXPECT_EQ(
      complaint(R"({"mem1": {"GiB": 80}, "mem2": {"GiB": 80}, "networks": [{"size": 1}, {"size": 1}]})"),
      "nothing");
}

TEST(ReadJson, SaysWhatIsNoJsonWithoutNamesOfExceptions) {
  const std::string said = complaint(R"({"hidden": NaN})");
  EXPECT_THAT(said, testing::StartsWith("system.json: no JSON: parse error at line 1, column 12: "));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr("exception")));
  EXPECT_EQ(said.find('\n'), std::string::npos);
}

TEST(ReadJson, SaysWhatKindOfFileItWasGiven) {
  EXPECT_EQ(complaint_of_file("/nowhere.json"), "/nowhere.json: cannot be read; expected a JSON file");
  EXPECT_EQ(complaint_of_file("/tmp"), "/tmp: is a folder; expected a JSON file");
  EXPECT_EQ(complaint_of_file("/dev/null"), "/dev/null: is empty; expected a JSON file");
}

}  // namespace
}  // namespace assay::model
