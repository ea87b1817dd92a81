// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The systems of model/examples/systems: each is read, states nothing impossible, and every number has a
// source that says whether it was measured, stated by someone or guessed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/core/text/json_from.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/system/doubtful_system.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path systems_folder = fs::path(ASSAY_SOURCE_DIR) / "model/examples/systems";

json tree_of(const std::string& name) {
  std::ifstream file(systems_folder / (name + ".json"));
  return core::json_from<json>(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const fs::path& file : fs::directory_iterator(systems_folder)) names.push_back(file.stem().string());
  std::ranges::sort(names);
  return names;
}

/// Places of values that are neither objects nor lists of objects, as keys of `sources` have them.
void add_places(const json& value, const std::string& place, std::vector<std::string>& found) {
  if (value.is_object())
    for (const auto& [key, member] : value.items())
      add_places(member, place.empty() ? key : fmt::format("{}.{}", place, key), found);
  else if (value.is_array() && !value.empty() && value[0].is_object())
    for (std::size_t at = 0; at < value.size(); ++at)
      add_places(value[at], fmt::format("{}[{}]", place, at), found);
  else
    found.push_back(place);
}

bool is_below(const std::string& place, const std::string& key) {
  return place == key || (place.starts_with(key) && (place[key.size()] == '.' || place[key.size()] == '['));
}

class ShippedSystem : public testing::TestWithParam<std::string> {};

TEST_P(ShippedSystem, IsReadAndStatesNothingImpossible) {
  const System system = read_system(tree_of(GetParam()), GetParam(), Model::assay);
  EXPECT_THAT(doubts_of(system, GetParam()), testing::IsEmpty());
  EXPECT_EQ(tree_of(GetParam()).at("name"), GetParam());
}

TEST_P(ShippedSystem, HasASourceOfEveryNumberAndOfNothingElse) {
  json tree = tree_of(GetParam());
  const json sources = tree.at("sources");
  for (const char* remark : {"sources", "name", "about", "processing_mode"}) tree.erase(remark);
  std::vector<std::string> places;
  add_places(tree, "", places);
  const auto is_sourced = [&](const std::string& place) {
    return std::ranges::any_of(sources.items(), [&](const auto& one) { return is_below(place, one.key()); });
  };
  for (const std::string& place : places) EXPECT_TRUE(is_sourced(place)) << place << " has no source";
  for (const auto& [key, said] : sources.items()) {
    const std::string& sourced = key;
    EXPECT_TRUE(std::ranges::any_of(places, [&](const auto& place) { return is_below(place, sourced); }))
        << key << " names nothing";
    EXPECT_THAT(said.get<std::string>(), testing::ContainsRegex("^(measured: .+|stated|guessed)")) << key;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ShippedSystem, testing::ValuesIn(shipped_names()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(ShippedSystems, AreThoseOfTheGenerationsInUse) {
  EXPECT_THAT(shipped_names(),
              testing::ElementsAre("a100-sxm", "b200-sxm", "b300-sxm", "gb200-nvl72", "gb300-nvl72", "gh200",
                                   "h100-nvl", "h100-pcie", "h100-sxm", "h200-sxm"));
}

}  // namespace
}  // namespace assay::model
