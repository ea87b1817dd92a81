// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routes/lft_dump.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::model::fabric::routes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Port of LID 1, 2 and 5 at the one switch.
void expect_table(const std::string& text) {
  const LftDump dump = parse_lft_dump(text, "dump");
  ASSERT_EQ(dump.switches.size(), 1U) << text;
  const SwitchTable& table = dump.switches.at(0x2c90000100000);
  EXPECT_EQ(table.port(1), 0) << text;
  EXPECT_EQ(table.port(2), 17) << text;
  EXPECT_EQ(table.port(3), 255) << text;
  EXPECT_EQ(table.port(0x1f), 5) << text;
  EXPECT_EQ(table.port(9999), 255) << text;
}

TEST(LftDump, EveryFormIsOneTable) {
  expect_table(
      "Unicast lids [0-31] of switch Lid 1 guid 0x0002c90000100000 ('leaf one'):\n"
      "0x0001 000 # Switch portguid 0x0002c90000100000: 'leaf one'\n"
      "0x0002 017 # Channel Adapter portguid 0x0002c90000200001: 'n0 mlx5_0'\n"
      "0x001f 005 # unknown node and type\n31 lids dumped\n");
  expect_table(
      "ibwarn: [30] sim_connect: attached as client 0 at node \"H-1\"\n"
      "Unicast lids [0x0-0x1f] of switch DR path slid 0; dlid 0; 0,1 guid 0x0002c90000100000 (leaf one):\n"
      "  Lid  Out   Destination\n       Port     Info \n"
      "0x0001 000 : (Switch portguid 0x0002c90000100000: 'leaf one')\r\n0x0002 017 \n0x0003 255 \n"
      "0x001f 005 : (path #2 out of 2: portguid 0x0002c90000200001)\n3 valid lids dumped \n");
  expect_table(
      "osm_ucast_mgr_dump_ucast_routes: Switch 0x0002c90000100000\nPLFT_NUM: 0\n"
      "LID    : Port : Hops : Optimal\n0x0001 : 000  : 00   : yes\n0x0002 : 017  : 00   : yes\n"
      "0x0003 : UNREACHABLE\n0x001f : 005  : 02   : no\n");
}

TEST(LftDump, OwnersAreThePortsThatItNames) {
  const LftDump dump = parse_lft_dump(
      "Unicast lids [0-2] of switch Lid 1 guid 0xa ('x'):\n0x0002 017 # Channel Adapter portguid 0xb: 'n0'\n",
      "dump");
  EXPECT_THAT(dump.owners, ElementsAre(0, 0, 0xb));
}

TEST(LftDump, OtherTablesAreLeftOutWithANote) {
  const LftDump dump = parse_lft_dump(
      "Unicast lids [0-2] of switch Lid 1 guid 0xa ('x'):\n0x0002 017\n"
      "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0xa ('x'):\n     Ports: 0 1 2\n MLid\n0xc000   x "
      "x\n"
      "dump_ucast_routes: Switch 0xb\nPLFT_NUM: 0\n0x0002 : 003  : 00   : yes\nPLFT_NUM: 1\n"
      "0x0002 : 004  : 00   : yes\n",
      "dump");
  EXPECT_EQ(dump.switches.at(0xa).port(2), 17);
  EXPECT_EQ(dump.switches.at(0xb).port(2), 3);
  EXPECT_THAT(dump.notes, ElementsAre("dump: left out 1 multicast table",
                                      "dump: left out 1 private table of adaptive routing"));
}

void expect_refused(const std::string& text, const std::string& why) {
  try {
    parse_lft_dump(text, "dump");
    ADD_FAILURE() << "accepted, expected: " << why;
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr(why));
  }
}

TEST(LftDump, TwoFilesOfOneSwitchAreOneTable) {
  const core::tests::TemporaryFolder folder;
  const std::string heading = "Unicast lids [0-2] of switch Lid 1 guid 0xa ('x'):\n";
  LftDump dump;
  read_lft_dump(folder.file("one", heading + "0x0001 001\n"), dump);
  read_lft_dump(folder.file("other", heading + "0x0002 002\n"), dump);
  ASSERT_EQ(dump.switches.size(), 1U);
  EXPECT_EQ(dump.switches.at(0xa).port(1), 1);
  EXPECT_EQ(dump.switches.at(0xa).port(2), 2);
}

TEST(LftDump, SaysLineAndWhatIsWrong) {
  const std::string heading = "Unicast lids [0-2] of switch Lid 1 guid 0xa ('x'):\n";
  expect_refused("", "dump: has no forwarding table");
  expect_refused("hello\n", "line 1 is 'hello'");
  expect_refused("0x0001 001\n", "dump:1: expected the heading");
  expect_refused("dump_ucast_routes: Switch 0xb\nPLFT_NUM: 99999999999999999999\n",
                 "dump:2: expected the number of a table");
  expect_refused("PLFT_NUM: 0\n0x0001 : 003\n", "dump:1: expected the heading of a switch");
  expect_refused("Unicast lids [0-2] of switch Lid 1 gu", "dump:1: expected the GUID");
  expect_refused(heading + "0x00", "dump:2: expected an entry");
  expect_refused(heading + "0x0002 \n", "dump:2: expected an entry");
  expect_refused(heading + "0x0002 1x\n", "dump:2: expected an entry");
  expect_refused(heading + "0xc000 001\n", "LID 0xc000 is none of a port");
  expect_refused(heading + "0x0002 300\n", "port 300 is none of a switch");
  expect_refused(heading + "0x0002 001\n0x0002 002\n",
                 "dump:3: LID 0x0002 leaves switch 0x000000000000000a by port 2");
  expect_refused(heading + std::string(2000, 'x'), "dump:2: is longer");
}

}  // namespace
}  // namespace assay::model::fabric::routes
