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

std::string rows(std::span<const CounterFact> facts) {
  std::string text;
  for (const CounterFact& fact : facts)
    text += fmt::format("| {} | {} | {}, {} | {} | {} | {} |\n", fact.name, to_string(fact.source), fact.bits,
                        fact.overflow == Overflow::wraps ? "wraps" : "saturates", fact.unit,
                        to_string(fact.speaks_for), fact.meaning);
  return text;
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
  return "| counter | source | bits | unit | speaks for | meaning |\n|---|---|---|---|---|---|\n" +
         rows(port_counter_facts()) + rows(hw_counter_facts()) + rows(ethernet_counter_facts());
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
