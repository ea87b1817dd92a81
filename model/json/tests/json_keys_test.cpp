// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/json_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::model {
namespace {

using core::tests::message_of;
using nlohmann::json;
using testing::ElementsAre;

TEST(JsonKeys, GiveTheObjectsOfAListWithTheirPlace) {
  const json value =
      core::json_from<json>(R"({"networks": [{"size": 8}, {"size": "many"}], "mem1": 3, "odd": [{}, 4]})");
  const JsonKeys keys(value, "system.json: ");
  EXPECT_EQ(keys.objects("networks")[0].count("size"), 8);
  EXPECT_EQ(message_of([&] { keys.objects("networks")[1].count("size"); }),
            "system.json: networks[1].size: expected a whole number from 1 to 1000000000, got \"many\"");
  EXPECT_EQ(message_of([&] { keys.objects("mem1"); }), "system.json: mem1: expected a list, got 3");
  EXPECT_EQ(message_of([&] { keys.objects("odd"); }), "system.json: odd[1]: expected a JSON object, got 4");
  EXPECT_THAT(keys.names(), ElementsAre("mem1", "networks", "odd"));
}

TEST(JsonKeys, NameTheKeyThatAnUnknownOneMayMean) {
  constexpr std::array<std::string_view, 2> names = {"size", "latency"};
  const json near = {{"size", 1}, {"latncy", 2}}, far = {{"colour", 1}};
  EXPECT_EQ(message_of([&] { JsonKeys(near, "f: n.").only(names); }),
            "f: n.latncy: unknown key (expected size, latency); did you mean latency?");
  EXPECT_EQ(message_of([&] { JsonKeys(far, "f: n.").only(names); }),
            "f: n.colour: unknown key (expected size, latency)");
}

}  // namespace
}  // namespace assay::model
