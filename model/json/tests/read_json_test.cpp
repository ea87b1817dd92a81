// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::model {
namespace {

std::string complaint(const std::string& text) {
  try {
    const JsonDocument document("system.json: ", text);
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
  EXPECT_EQ(read_ordered_json(path)["a"]["x"], 3);
}

TEST(ReadJson, GivesATreeAsTheUsualLibraryWould) {
  const std::string path = testing::TempDir() + "assay_read_json_tree.json";
  const std::string text =
      R"({"n": [0, -1, 18446744073709551615, 1.5, 1e3, -0.0], "t": ["", "\u00e9\n"], "b": [true, false, null, {}]})";
  std::ofstream(path) << text;
  const nlohmann::json tree = read_json(path), expected = core::json_from<nlohmann::json>(text);
  EXPECT_EQ(tree, expected);
  EXPECT_EQ(tree.dump(), expected.dump());
}

TEST(ReadJson, RefusesAKeyThatStandsTwiceInOneObjectAndSaysWhere) {
  EXPECT_EQ(complaint(R"({"hidden": 1, "hidden": 2})"),
            "system.json: hidden: this key is there twice, keep one");
  EXPECT_EQ(complaint(R"({"mem1": {"GiB": 80, "GBps": 1, "GiB": 80}})"),
            "system.json: mem1.GiB: this key is there twice, keep one");
  EXPECT_EQ(
      complaint(R"({"networks": [{"ops": {"p2p": [1, null]}, "size": 8}, [], 3, {"size": 1, "size": 2}]})"),
      "system.json: networks[3].size: this key is there twice, keep one");
}

TEST(ReadJson, TakesOneKeyInSeveralObjects) {
  EXPECT_EQ(
      complaint(R"({"mem1": {"GiB": 80}, "mem2": {"GiB": 80}, "networks": [{"size": 1}, {"size": 1}]})"),
      "nothing");
}

TEST(ReadJson, SaysWhatIsNoJsonWithoutNamesOfExceptions) {
  const std::string said = complaint(R"({"hidden": NaN})");
  EXPECT_EQ(said, "system.json: not JSON: line 1, column 12: expected a value, got 'N'");
}

TEST(ReadJson, SaysWhatKindOfFileItWasGiven) {
  EXPECT_EQ(complaint_of_file("/nowhere.json"), "/nowhere.json: cannot be read; expected a JSON file");
  EXPECT_EQ(complaint_of_file("/tmp"), "/tmp: is a folder; expected a JSON file");
  EXPECT_EQ(complaint_of_file("/dev/null"), "/dev/null: is empty; expected a JSON file");
}

}  // namespace
}  // namespace assay::model
