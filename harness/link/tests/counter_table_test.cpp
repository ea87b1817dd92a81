// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

namespace assay::link {
namespace {

TEST(CounterTable, HoldsWidthsOfThePortCounterSet) {
  const auto bits = [](const std::string& name) { return find_counter(CounterSource::port, name)->bits; };
  EXPECT_EQ(bits("symbol_error"), 16);
  EXPECT_EQ(bits("link_error_recovery"), 8);
  EXPECT_EQ(bits("link_downed"), 8);
  EXPECT_EQ(bits("local_link_integrity_errors"), 4);
  EXPECT_EQ(bits("port_xmit_wait"), 32);
  EXPECT_EQ(bits("port_xmit_data"), 64);
}

TEST(CounterTable, TellsFullByWidth) {
  EXPECT_EQ(full(*find_counter(CounterSource::port, "local_link_integrity_errors")), 15U);
  EXPECT_EQ(full(*find_counter(CounterSource::hw, "out_of_sequence")), 4294967295U);
  EXPECT_EQ(full(*find_counter(CounterSource::port, "port_xmit_data")), 18446744073709551615U);
}

TEST(CounterTable, FindsPatternsAndTellsPauseFromItsDuration) {
  EXPECT_EQ(find_counter(CounterSource::ethtool, "rx_prio3_pause")->unit, "frames");
  EXPECT_EQ(find_counter(CounterSource::ethtool, "rx_prio3_pause_duration")->unit, "us");
  EXPECT_EQ(find_counter(CounterSource::ethtool, "rx0_packets"), nullptr);
  EXPECT_EQ(find_counter(CounterSource::port, "out_of_sequence"), nullptr);  // of another source
}

TEST(CounterTable, NamesEveryCounterOnce) {
  std::set<std::pair<CounterSource, std::string_view>> names;
  for (const auto facts : {port_counter_facts(), hw_counter_facts(), ethernet_counter_facts()})
    for (const CounterFact& fact : facts) {
      EXPECT_TRUE(names.emplace(fact.source, fact.name).second) << fact.name;
      EXPECT_FALSE(fact.meaning.empty()) << fact.name;
      EXPECT_TRUE(fact.bits == 4 || fact.bits == 8 || fact.bits == 16 || fact.bits == 32 || fact.bits == 64);
    }
  EXPECT_GT(names.size(), 90U);
}

/// A table of the counters that a class depends on, and the names of the others.
std::string section(CounterSource source, std::span<const CounterFact> facts) {
  std::string rows, others;
  for (const CounterFact& fact : facts) {
    if (fact.source != source) continue;
    if (fact.speaks_for == LinkClass::clean)
      others += fmt::format("{}`{}`", others.empty() ? "" : ", ", fact.name);
    else
      rows += fmt::format("| {} | {}{} | {} | {} | {} |\n", fact.name, fact.bits,
                          fact.overflow == Overflow::wraps ? "" : " S", fact.unit, to_string(fact.speaks_for),
                          fact.meaning);
  }
  return fmt::format(
      "### Source {}\n\n| counter | bits | unit | class | meaning |\n|---|---|---|---|---|\n{}\n"
      "Informational: {}.\n",
      to_string(source), rows, others);
}

std::string counter_table_markdown() {
  return section(CounterSource::port, port_counter_facts()) + "\n" +
         section(CounterSource::hw, hw_counter_facts()) + "\n" +
         section(CounterSource::netdev, ethernet_counter_facts()) + "\n" +
         section(CounterSource::ethtool, ethernet_counter_facts());
}

TEST(CounterTable, StandsInTheDocumentationAsItIs) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/docs/reference/rdma-counters.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find(counter_table_markdown()), std::string::npos)
      << "docs/reference/rdma-counters.md must hold this table:\n"
      << counter_table_markdown();
}

}  // namespace
}  // namespace assay::link
