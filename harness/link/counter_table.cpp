// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/counter_table.hpp"

#include <algorithm>

#include "harness/core/text/glob.hpp"

namespace assay::link {

namespace {

bool matches(const CounterFact& fact, CounterSource source, const std::string& name) {
  return fact.source == source && core::glob_matches(fact.name, name);
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

}  // namespace assay::link
