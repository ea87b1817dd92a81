// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/counters/port_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/counters/cable_errors.hpp"

namespace assay::model::fabric::counters {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::string& text) {
  try {
    parse_port_counters(text, "counters", {{24, 0x200000}});
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

TEST(PortCounters, AreReadFromIbqueryerrors) {
  const PortCounters read = parse_port_counters(
      "Errors for 0x200000 \"leaf0\"\n"
      "   GUID 0x200000 port ALL: [SymbolErrorCounter == 78]\n"
      "   GUID 0x200000 port 9: [SymbolErrorCounter == 77] [PortXmitData == 162576 (635.062KB)]\n\n"
      "## Summary: 68 nodes checked, 1 bad nodes found\n",
      "counters", {});
  ASSERT_EQ(read.ports.size(), 1U);
  EXPECT_EQ(read.ports.at({0x200000, 9}).at("SymbolErrorCounter"), 77U);
  EXPECT_EQ(read.ports.at({0x200000, 9}).at("PortXmitData"), 162576U);
  EXPECT_TRUE(read.bad_ports_alone);
}

TEST(PortCounters, AreReadFromPerfqueryByTheLidsOfTheList) {
  const GuidsOfLids lids = guids_of_lids(site::read_ib_list(
      "switchguid=0x200000(200000)\nSwitch\t16 \"S-0000000000200000\"\t# \"leaf7\" base port 0 lid 24 lmc 0\n"
      "[1]\t\"H-0000000000100000\"[1](100001) \t\t# \"n0 mlx5_0\" lid 3 4xNDR\n\n"
      "caguid=0x100000\nCa\t1 \"H-0000000000100000\"\t\t# \"n0 mlx5_0\"\n"
      "[1](100001) \t\"S-0000000000200000\"[1]\t\t# lid 3 lmc 0 \"leaf7\" lid 24 4xNDR\n",
      "net"));
  EXPECT_EQ(lids.at(24), 0x200000U);
  EXPECT_EQ(lids.at(3), 0x100000U);
  const PortCounters read = parse_port_counters(
      "# Port counters: Lid 24 port 9 (CapMask: 0x1300)\nPortSelect:......................9\n"
      "SymbolErrorCounter:..............5\n# Port extended counters: Lid 24 port 9 (CapMask: 0x1300)\n"
      "PortXmitData:....................21456\n",
      "counters", lids);
  EXPECT_EQ(read.ports.at({0x200000, 9}).at("SymbolErrorCounter"), 5U);
  EXPECT_EQ(read.ports.at({0x200000, 9}).at("PortXmitData"), 21456U);
  EXPECT_FALSE(read.bad_ports_alone);
}

TEST(PortCounters, AreReadFromIbdiagnet) {
  const PortCounters read = parse_port_counters(
      "START_NODES\nNodeDesc,NumPorts\nEND_NODES\nSTART_PM_INFO\n"
      "NodeGUID,PortGUID,PortNumber,LinkDownedCounterExt,SymbolErrorCounter,PortXmitDataExtended,"
      "PortXmitWait\n"
      "0x0000000000200000,0x0000000000200000,9,2,0x10,1000,N/A\nEND_PM_INFO\nSTART_LINKS\n0x1,2\nEND_LINKS\n",
      "counters", {});
  const Counters& own = read.ports.at({0x200000, 9});
  EXPECT_EQ(own.at("LinkDownedCounter"), 2U);
  EXPECT_EQ(own.at("SymbolErrorCounter"), 16U);
  EXPECT_EQ(own.at("PortXmitData"), 1000U);
  EXPECT_FALSE(own.contains("PortXmitWait"));
  ASSERT_EQ(read.notes.size(), 1U);
  EXPECT_THAT(read.notes[0], HasSubstr("left out 1 values"));
}

TEST(PortCounters, ThatAreCutOffAreRefusedWithTheLine) {
  EXPECT_THAT(refusal_of("nothing\n"), HasSubstr("counters: has no counters of ports"));
  EXPECT_THAT(refusal_of("START_PM_INFO\nNodeGUID,PortNumber\n0x1\n"),
              HasSubstr("counters:3: expected 2 cells"));
  EXPECT_THAT(refusal_of("START_PM_INFO\nNodeGUID,Port\n"),
              HasSubstr("counters:2: expected a column PortNumber"));
  EXPECT_THAT(refusal_of("# Port counters: Lid 7 port 1\n"),
              HasSubstr("counters:1: expected a LID that the list"));
  EXPECT_THAT(refusal_of("   GUID 0x20 port 9: [SymbolErrorCounter == ]\n"),
              HasSubstr("expected a number behind =="));
}

TEST(PortCounters, BeyondTheirRangesAreRefusedWithTheLine) {
  const std::string table = "START_PM_INFO\nNodeGUID,PortNumber,PortXmitWait\n";
  EXPECT_THAT(refusal_of(table + "0x20,4294967305,1\n"),
              HasSubstr("counters:3: expected the number of a port, up to 254, got '0x20,4294967305,1'"));
  EXPECT_THAT(refusal_of(table + "0x20,255,1\n"), HasSubstr("counters:3: expected the number of a port"));
  EXPECT_THAT(refusal_of(table + "0x20,9,18446744073709551616\n"),
              HasSubstr("counters:3: expected a counter up to 18446744073709551615"));
  EXPECT_THAT(refusal_of("# Port counters: Lid 4294967320 port 9\n"),
              HasSubstr("counters:1: expected a LID that the list"));
  EXPECT_THAT(refusal_of("# Port counters: Lid 24 port 256\n"),
              HasSubstr("counters:1: expected the number of a port, up to 255"));
  EXPECT_THAT(refusal_of("   GUID 0x20 port 99999999999999999999: [SymbolErrorCounter == 1]\n"),
              HasSubstr("counters:1: expected the number of a port, up to 254"));
}

TEST(PortCounters, InALineThatIsTooLongAreRefused) {
  EXPECT_THAT(refusal_of("\n   GUID 0x20 port 9: [SymbolErrorCounter == 1]" + std::string(100'000, ' ')),
              HasSubstr("counters:2: expected a line of at most 100000 bytes"));
}

/// Two hosts on a leaf each, and a spine: cables host0, host1, and leaf to spine by port 9.
class CableReadings : public testing::Test {
 protected:
  CableReadings() {
    const auto cable = [](site::SiteEnd one, site::SiteEnd other) {
      return site::SiteCable{std::move(one), std::move(other), 100, 1};
    };
    const auto leaf = [](const std::string& name, const std::string& port, std::uint64_t guid) {
      return site::SiteEnd{name, port, true, "", guid};
    };
    cables_ = {cable({"a", "mlx5_0", false, "mlx5_0/1", 1}, leaf("leaf0", "1", 20)),
               cable({"b", "mlx5_0", false, "mlx5_0/1", 2}, leaf("leaf1", "1", 21)),
               cable(leaf("leaf0", "9", 20), leaf("spine", "1", 30)),
               cable(leaf("leaf1", "9", 21), leaf("spine", "2", 30))};
    for (const std::pair<std::uint64_t, std::uint32_t>& port :
         std::vector<std::pair<std::uint64_t, std::uint32_t>>{
             {1, 1}, {2, 1}, {20, 1}, {20, 9}, {21, 1}, {21, 9}, {30, 1}, {30, 2}})
      before_.ports[port] = after_.ports[port] = {{"SymbolErrorCounter", 3}, {"LinkDownedCounter", 1}};
  }
  std::vector<CableErrors> errors(double seconds) const {
    return cable_errors(site::site_fabric(cables_, "cables"), before_, after_, {.seconds = seconds});
  }

  std::vector<site::SiteCable> cables_;
  PortCounters before_, after_;
};

TEST_F(CableReadings, WithoutErrorsAreSoundOnceTheDoseIsLargeEnough) {
  for (const CableErrors& one : errors(3600)) {
    EXPECT_EQ(one.state, CableState::sound);
    EXPECT_EQ(one.lower, 0);
    EXPECT_NEAR(one.upper, 3.689 / (2 * 3600 * 100e9), 1e-18);  // -ln(0.025)
  }
  for (const CableErrors& one : errors(10)) EXPECT_EQ(one.state, CableState::undecided);
}

TEST_F(CableReadings, NameTheCableWhoseErrorsExceedTheRateAtEitherEnd) {
  after_.ports[{30, 2}]["SymbolErrorCounter"] = 3 + 5000;
  const auto found = errors(3600);
  EXPECT_EQ(found[0].state, CableState::faulty);
  EXPECT_EQ(found[0].symbol_errors, 5000U);
  EXPECT_GT(found[0].lower, 1e-12);
  EXPECT_EQ(found[1].state, CableState::sound);
  const auto site = site::site_fabric(cables_, "cables");
  EXPECT_EQ(site.topology.name_of_link(found[0].cable), "leaf1>spine0");
}

TEST_F(CableReadings, OfALinkThatWentDownAreFaulty) {
  after_.ports[{1, 1}]["LinkDownedCounter"] = 2;
  EXPECT_EQ(errors(3600)[0].state, CableState::faulty);
  EXPECT_EQ(errors(3600)[0].reason, "went down 1 times");
}

TEST_F(CableReadings, ThatWereClearedStandAtTheirEndOrLackAreUnknown) {
  after_.ports[{1, 1}]["SymbolErrorCounter"] = 0;
  after_.ports[{2, 1}]["SymbolErrorCounter"] = before_.ports[{2, 1}]["SymbolErrorCounter"] = 0xffff;
  after_.ports.erase({20, 9});
  const auto found = errors(3600);
  EXPECT_THAT(found[0].reason + found[1].reason + found[2].reason,
              testing::AllOf(HasSubstr("it was cleared"), HasSubstr("is full, at 65535"),
                             HasSubstr("is not in the second reading")));
  for (std::size_t at = 0; at < 3; ++at) EXPECT_EQ(found[at].state, CableState::unknown);
  EXPECT_EQ(found[3].state, CableState::sound);
}

TEST_F(CableReadings, OfWaitingPortsAreCongestionAndNoError) {
  before_.ports[{30, 1}]["PortXmitWait"] = 100;
  after_.ports[{30, 1}]["PortXmitWait"] = 7300;
  after_.ports[{30, 1}]["PortXmitDiscards"] = 4;
  for (const CableErrors& one : errors(3600)) EXPECT_EQ(one.state, CableState::sound);
  const auto found = errors(3600);
  const auto waiting = std::ranges::find_if(found, [](const CableErrors& one) { return one.wait_per_s > 0; });
  ASSERT_NE(waiting, found.end());
  EXPECT_EQ(waiting->wait_per_s, 2);
  EXPECT_EQ(waiting->discards, 4U);
}

}  // namespace
}  // namespace assay::model::fabric::counters
