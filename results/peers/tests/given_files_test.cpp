// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sample files of many tools with the rows that must come out of each, outside this repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "results/peers/dry_run.hpp"
#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_file.hpp"

namespace assay::results::peers {
namespace {

using Json = nlohmann::json;

bool same_scalar(const Json& expected, const Json& got) {
  if (expected.is_number() && got.is_number()) {
    const double a = expected.get<double>(), b = got.get<double>();
    constexpr double tolerance = 1e-4;
    return std::abs(a - b) <= tolerance * std::abs(a);
  }
  return expected == got;
}

/// Whether each member of `expected` is in `got`; null: it may be absent.
bool covers(const Json& expected, const Json& got) {
  return std::ranges::all_of(expected.items(), [&](const auto& item) {
    if (item.value().is_null()) return !got.contains(item.key()) || got[item.key()].is_null();
    return got.contains(item.key()) && same_scalar(item.value(), got[item.key()]);
  });
}

/// "" where the row came out so.
std::string difference(const Json& expected, const Json& got) {
  for (const char* key : {"host", "case", "metric", "unit", "status", "value", "ranks", "n", "executions",
                          "verification", "serial", "error_id", "hosts"}) {
    if (!expected.contains(key)) continue;
    const Json value = got.contains(key) ? got[key] : Json();
    if (!same_scalar(expected[key], value)) return std::string(key) + ": " + value.dump();
  }
  if (!covers(expected["axes"], got["axes"])) return "axes: " + got["axes"].dump();
  for (const auto& item : got["axes"].items())
    if (!expected["axes"].contains(item.key())) return "axis not expected: " + item.key();
  if (expected.contains("metrics") && !covers(expected["metrics"], got["metrics"]))
    return "metrics: " + got["metrics"].dump();
  if (expected.contains("reason") &&
      got.value("reason", "").find(expected["reason"].get<std::string>()) == std::string::npos)
    return "reason: " + got.value("reason", "");
  return "";
}

class GivenFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(ASSAY_PEER_RESULTS).empty() || !std::filesystem::exists(folder_ / "index.json"))
      GTEST_SKIP() << "no folder of sample files: ASSAY_PEER_RESULTS_DIR";
    std::ifstream(folder_ / "index.json") >> index_;
  }

  PeerFile read(const std::string& file) const {
    const PathPattern pattern("{tool}/{host}/{file}");
    return read_peer_file(pattern.facts_of((folder_ / file).string(), file, true), {});
  }

  std::filesystem::path folder_ = ASSAY_PEER_RESULTS;
  Json index_;
};

std::vector<Json> rows_of(const PeerFile& file) {
  std::vector<Json> rows;
  for (const PeerBlock& block : file.blocks)
    for (const PeerPoint& point : block.findings.points)
      rows.push_back(Json::parse(dry_run_json(file, block, point)));
  return rows;
}

void compare(const Json& entry, const std::vector<Json>& rows) {
  const std::string file = entry["file"];
  ASSERT_EQ(rows.size(), entry["rows"].size()) << file;
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(difference(entry["rows"][i], rows[i]), "")
        << file << " row " << i << " expected " << entry["rows"][i];
  std::set<std::string> expected, said;
  for (const Json& doubt : entry["doubts"]) expected.insert(doubt);
  for (const Json& row : rows)
    for (const std::string doubt : row["doubts"]) said.insert(doubt.substr(0, doubt.find(':')));
  EXPECT_EQ(said, expected) << file;
}

TEST_F(GivenFiles, HaveTheRowsAndDoubtsOfTheIndex) {
  for (const Json& entry : index_["entries"]) {
    const PeerFile file = read(entry["file"]);
    if (entry.value("outcome", "rows") == "refused") {
      EXPECT_TRUE(file.blocks.empty()) << entry["file"];
      EXPECT_FALSE(file.refusals.empty()) << entry["file"];
      continue;
    }
    for (const Refusal& refusal : file.refusals)
      ADD_FAILURE() << entry["file"] << ":" << refusal.line << ": " << refusal.what;
    if (file.blocks.empty()) continue;
    compare(entry, rows_of(file));
  }
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Places and numbers of all points with a number.
std::set<std::string> numbers_of(const PeerFile& file) {
  std::set<std::string> numbers;
  for (const Json& row : rows_of(file))
    if (!row["value"].is_null())
      numbers.insert(row["case"].dump() + row["axes"].dump() + row["value"].dump() + row["metrics"].dump());
  return numbers;
}

/// A median of gpu-burn is of the rates so far.
TEST_F(GivenFiles, HaveNoOtherNumberWhereTheyAreCutOff) {
  const PathPattern pattern("{tool}/{host}/{file}");
  for (const Json& entry : index_["entries"]) {
    const std::string name = entry["file"], text = text_of_file(folder_ / name);
    if (entry["format"] == "gpu-burn text") continue;
    const PathFacts facts = pattern.facts_of((folder_ / name).string(), name, true);
    const std::set<std::string> whole = numbers_of(read_peer_text(text, facts, {}));
    const std::size_t step = std::max<std::size_t>(1, text.size() / 400);
    for (std::size_t size = 1; size < text.size(); size += step)
      for (const std::string& number : numbers_of(read_peer_text(text.substr(0, size), facts, {})))
        ASSERT_TRUE(whole.contains(number)) << name << " cut off after " << size << " bytes: " << number;
  }
}

}  // namespace
}  // namespace assay::results::peers
