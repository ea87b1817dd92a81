// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/describe/toml_fields.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "harness/core/tests/message_of.hpp"

namespace assay::core {

enum class Shade { light, dark };
constexpr auto words_for(Type<Shade>) { return words_of<Shade>("light", "dark"); }

struct Lamp {
  double watts = 0;
  std::optional<int> lumens;
};
constexpr auto fields_of(Type<Lamp>) {
  return std::tuple(Field<"watts", &Lamp::watts>{above_zero}, Field<"lumens", &Lamp::lumens>{from_one});
}

struct Room {
  std::string name;
  bool is_warm = false;
  std::uint16_t doors = 1;
  Shade shade = Shade::light;
  std::vector<std::string> people;
  Lamp main;
  std::vector<Lamp> lamps;
  double heat_kw = 0;
};
constexpr auto fields_of(Type<Room>) {
  return std::tuple(Field<"name", &Room::name>{identity.saying("who lives here")},
                    Field<"is_warm", &Room::is_warm>{any_value.where_known()},
                    Field<"doors", &Room::doors>{from_one.where_known()},
                    Field<"shade", &Room::shade>{any_value.where_known()},
                    Field<"people", &Room::people>{any_value.where_known()},
                    Field<"main", &Room::main>{any_value.where_known()},
                    Field<"lamp", &Room::lamps>{any_value.where_known()},
                    group<"heating">(Field<"kw", &Room::heat_kw>{above_zero}));
}

namespace {

using tests::message_of;

Room room_of(const std::string& text, const std::vector<std::string_view>& others = {}) {
  const TomlFile file(text, "r.toml");
  Room room;
  read_fields(file.root(), room, others);
  return room;
}

std::string refused_room(const std::string& text) {
  return message_of([&] { room_of(text); });
}

TEST(TomlFields, ReadEveryRowOfTheDescription) {
  const Room room = room_of(
      "name = 'hall'\nis_warm = true\ndoors = 3\nshade = 'dark'\npeople = ['a', 'b']\nmain.watts = 4.5\n"
      "[[lamp]]\nwatts = 7\nlumens = 800\n[[lamp]]\nwatts = 8\n");
  EXPECT_EQ(room.name, "hall");
  EXPECT_TRUE(room.is_warm);
  EXPECT_EQ(room.doors, 3);
  EXPECT_EQ(room.shade, Shade::dark);
  EXPECT_EQ(room.people, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(room.main.watts, 4.5);
  ASSERT_EQ(room.lamps.size(), 2U);
  EXPECT_EQ(room.lamps[0].lumens, 800);
  EXPECT_FALSE(room.lamps[1].lumens);
}

TEST(TomlFields, ThatMayBeAbsentKeepTheirValueAndOthersAreMissed) {
  EXPECT_EQ(room_of("name = 'hall'").doors, 1);
  EXPECT_EQ(refused_room("doors = 2"), "r.toml:1: name: missing: expected who lives here");
  EXPECT_EQ(refused_room("name = 'a'\n[[lamp]]\nlumens = 3\n"),
            "r.toml:2: lamp.watts: missing: expected a number");
}

TEST(TomlFields, OfAGroupStandInATableOfItsOwn) {
  EXPECT_EQ(room_of("name = 'hall'\nheating.kw = 3").heat_kw, 3);
  EXPECT_EQ(room_of("name = 'hall'").heat_kw, 0);
  EXPECT_EQ(refused_room("name = 'hall'\n[heating]\n"), "r.toml:2: heating.kw: missing: expected a number");
  EXPECT_EQ(refused_room("name = 'hall'\nheating.watts = 3"),
            "r.toml:2: heating.watts: unknown key (expected kw)");
}

TEST(TomlFields, RefuseKeysThatHaveNoRowUnlessTheCallerReadsThem) {
  EXPECT_EQ(room_of("name = 'hall'\nfloor = 2", {"floor"}).name, "hall");
  EXPECT_EQ(
      refused_room("name = 'hall'\ndoor = 2"),
      "r.toml:2: door: unknown key (expected name, is_warm, doors, shade, people, main, lamp, heating); "
      "did you mean doors?");
}

TEST(TomlFields, HoldValuesToTheTermsOfTheirRowAndTheBoundsOfTheirType) {
  EXPECT_EQ(refused_room("name = 'a'\ndoors = 0"),
            "r.toml:2: doors: expected a whole number from 1 to 65535, got 0");
  EXPECT_EQ(refused_room("name = 'a'\ndoors = 65536"),
            "r.toml:2: doors: expected a whole number from 1 to 65535, got 65536");
  EXPECT_EQ(refused_room("name = 'a'\nshade = 'grey'"),
            "r.toml:2: shade: 'grey' is unknown (expected light, dark)");
  EXPECT_EQ(refused_room("name = 3"), "r.toml:1: name: expected text in quotation marks: who lives here");
  EXPECT_EQ(refused_room("name = 'a'\nmain.watts = 0"),
            "r.toml:2: main.watts: expected a number above 0, got 0");
}

}  // namespace
}  // namespace assay::core
