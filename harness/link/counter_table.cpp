// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_table.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace assay::link {

namespace {

bool matches(const CounterFact& fact, CounterSource source, const std::string& name) {
  return fact.source == source && fnmatch(std::string(fact.name).c_str(), name.c_str(), 0) == 0;
}

/// A table of the counters that a class depends on, and the names of the others.
std::string section(CounterSource source, std::span<const CounterFact> facts) {
  std::string rows, others;
  for (const CounterFact& fact : facts) {
    if (fact.source != source) continue;
    if (fact.speaks_for == CounterClass::informational)
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

}  // namespace

const CounterFact* find_counter(CounterSource source, const std::string& name) {
  for (const auto facts : {port_counter_facts(), hw_counter_facts(), ethernet_counter_facts()}) {
    const auto found = std::find_if(facts.begin(), facts.end(),
                                    [&](const CounterFact& fact) { return matches(fact, source, name); });
    if (found != facts.end()) return &*found;
  }
  return nullptr;
}

std::uint64_t full(const CounterFact& fact) {
  constexpr int widest = 64;
  return fact.bits >= widest ? ~std::uint64_t{0} : (std::uint64_t{1} << static_cast<unsigned>(fact.bits)) - 1;
}

std::string counter_table_markdown() {
  return section(CounterSource::port, port_counter_facts()) + "\n" +
         section(CounterSource::hw, hw_counter_facts()) + "\n" +
         section(CounterSource::netdev, ethernet_counter_facts()) + "\n" +
         section(CounterSource::ethtool, ethernet_counter_facts());
}

std::string_view to_string(CounterSource source) {
  switch (source) {
    case CounterSource::port:
      return "port";
    case CounterSource::hw:
      return "hw";
    case CounterSource::netdev:
      return "netdev";
    case CounterSource::ethtool:
      return "ethtool";
  }
  return "";
}

std::string_view to_string(CounterClass speaks_for) {
  switch (speaks_for) {
    case CounterClass::informational:
      return "informational";
    case CounterClass::congested:
      return "congested";
    case CounterClass::lossy:
      return "lossy";
    case CounterClass::faulty:
      return "faulty";
  }
  return "";
}

}  // namespace assay::link
