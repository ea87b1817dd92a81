// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/service_levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routes/lane_cycle.hpp"

namespace assay::model::fabric::routes {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <class Parse>
std::string refusal_of(const Parse& parse) {
  try {
    parse();
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

TEST(PathLevels, AreReadFromADumpOfPathRecords) {
  const PathLevels levels = parse_path_levels(
      "Channel Adapter 0x0002c90000200001, base LID 3, \"n0 mlx5_0\", port 1\n# LID  : SL : MTU : RATE\n"
      "0x0005 : 1  : 4   : 7   \n0x0006 : UNREACHABLE\n\n"
      "Switch 0x0002c90000100000, base LID 9, \"sw\", port 0\n# LID  : SL : MTU : RATE\n0x0003 : 12 : 4   : "
      "7\n",
      "records");
  EXPECT_EQ(levels.of(3, 5), 1);
  EXPECT_EQ(levels.of(9, 3), 12);
  EXPECT_EQ(levels.of(3, 6), PathLevels::unknown);
  EXPECT_EQ(levels.of(4, 5), PathLevels::unknown);
  EXPECT_EQ(levels.paths(), 2U);
}

TEST(PathLevels, AreReadFromRecordsOfSaquery) {
  const PathLevels levels = parse_path_levels(
      "PathRecord dump:\n\t\tdgid....................fe80::10:3\n\t\tdlid....................5\n"
      "\t\tslid....................2\n\t\tsl......................0x1\n\t\tmtu.....................0x83\n",
      "records");
  EXPECT_EQ(levels.of(2, 5), 1);
  EXPECT_EQ(levels.of(5, 2), PathLevels::unknown);
}

TEST(PathLevels, WithoutALevelOrASourceAreRefusedWithTheLine) {
  const auto of = [](const std::string& text) {
    return refusal_of([&] { parse_path_levels(text, "records"); });
  };
  EXPECT_THAT(of("0x0005 : 1 : 4 : 7\n"), HasSubstr("records:1: expected the heading of a source"));
  EXPECT_THAT(of("Switch 0x1, base LID 9, \"sw\"\n0x0005 : 16 : 4 : 7\n"),
              HasSubstr("records:2: expected a service level from 0 to 15"));
  EXPECT_THAT(of("Switch 0x1, \"sw\"\n"), HasSubstr("base LID"));
  EXPECT_THAT(of("nothing\n"), HasSubstr("records: expected service levels of paths"));
  EXPECT_THAT(of("\t\tsl......................0x1\n"), HasSubstr("records:1: expected slid and dlid"));
}

TEST(PathLevels, InALineThatIsTooLongAreRefused) {
  const std::string text =
      "Switch 0x1, base LID 9, \"sw\"\n0x0005 : 1 : 4 : 7" + std::string(1000, ' ') + "\n";
  EXPECT_THAT(refusal_of([&] { parse_path_levels(text, "records"); }),
              HasSubstr("records:2: expected a line of at most 1000 bytes"));
}

TEST(LaneMaps, AreReadBySwitchAndPorts) {
  const LaneMaps maps = parse_lane_maps(
      "Switch 0x0002c90000100000, base LID 2, \"sw0\"\n#in out : 0  1\n#----\n"
      "1   2   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
      "Channel Adapter 0x0002c90000200001, base LID 1, \"n0\"\n#in out : 0\n"
      "0   1   : 5  5  5  5  5  5  5  5  5  5  5  5  5  5  5  5 \n",
      "sl2vl");
  EXPECT_EQ(maps.lane(0x0002c90000100000, 1, 2, 9), 1);
  EXPECT_EQ(maps.lane(0x0002c90000100000, 2, 1, 9), 9);
  EXPECT_EQ(maps.lane(0x0002c90000200001, 0, 1, 9), 9);
}

TEST(LaneMaps, WithFewerThanSixteenLanesAreRefused) {
  EXPECT_THAT(refusal_of([] { parse_lane_maps("Switch 0x1, base LID 2\n1 2 : 0 1 2\n", "sl2vl"); }),
              HasSubstr("sl2vl:2: expected ports in and out and 16 lanes"));
  EXPECT_THAT(refusal_of([] { parse_lane_maps("\n", "sl2vl"); }), HasSubstr("sl2vl: expected maps"));
}

/// Three leaves in a ring with a host each; messages go to the next leaf but one the long way round.
class LaneCycles : public testing::Test {
 protected:
  LaneCycles() {
    for (NodeId at = 3; at < 6; ++at) {
      std::uint8_t port = 10;
      tables_.set_link(at, 1, topology_.link_to_host(at - 3));
      for (LinkId link = topology_.first_up(at); link < topology_.end_up(at); ++link)
        tables_.set_link(at, port++, link);
      for (LinkId link = topology_.first_down(at); link < topology_.end_down(at); ++link)
        if (topology_.between_switches(link)) tables_.set_link(at, port++, link);
      for (NodeId host = 0; host < 3; ++host)
        tables_.set_port(at, host, 0, host + 3 == at ? 1 : clockwise(at));
    }
  }
  std::uint8_t clockwise(NodeId at) const {
    for (std::uint8_t port = 10; port < 12; ++port)
      if (topology_.to(tables_.link_of_port(at, port)) == (at - 3 + 1) % 3 + 3) return port;
    return 0;
  }
  LaneCycle found(std::uint8_t level_of_last) const {
    PathLevels levels;
    for (std::uint32_t from = 1; from <= 3; ++from)
      for (std::uint32_t to = 1; to <= 3; ++to)
        if (from != to) levels.set(from, to, from == 3 || to == 1 ? level_of_last : 0);
    return lane_cycle(topology_, tables_, {{{1, 0}, {2, 0}, {3, 0}}, {7, 8, 9}}, levels, {});
  }

  Topology topology_ = from_cables({{"host0", "leaf0"},
                                    {"host1", "leaf1"},
                                    {"host2", "leaf2"},
                                    {"leaf0", "leaf1"},
                                    {"leaf1", "leaf2"},
                                    {"leaf0", "leaf2"}});
  ForwardingTables tables_{topology_, {1, 1, 1}};
};

TEST_F(LaneCycles, OfOneLevelIsTheRing) {
  const LaneCycle cycle = found(0);
  EXPECT_THAT(cycle.cycle, SizeIs(3));
  EXPECT_EQ(cycle.lanes_used, 1U);
}

TEST_F(LaneCycles, ArePartedByAnotherLevelOfPathsOverOneCable) {
  const LaneCycle cycle = found(1);
  EXPECT_THAT(cycle.cycle, IsEmpty());
  EXPECT_EQ(cycle.lanes_used, 2U);
  EXPECT_EQ(cycle.unknown, 0U);
  EXPECT_EQ(cycle.pairs, 6U);
}

}  // namespace
}  // namespace assay::model::fabric::routes
