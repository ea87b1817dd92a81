// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/read_counters.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include "harness/link/ethtool_statistics.hpp"
#include "harness/machine/tree.hpp"

namespace assay::link {

namespace {

using machine::Tree;
using std::chrono::milliseconds;

// The kernel compares in its ticks, of 10 ms at most.
constexpr milliseconds tick{10};

std::string directory_of(const machine::Hca& hca) {
  return "/sys/class/infiniband/" + hca.device + "/ports/" + std::to_string(hca.port);
}

void read_directory(const Tree& tree, const std::string& directory, CounterSource source,
                    PortCounters& counters) {
  for (const std::string& name : tree.list(directory)) {
    if (name == "lifespan") continue;  // a setting of the cache, not a counter
    if (const auto value = tree.read_count(directory + "/" + name))
      counters.values[{source, "", name}] = *value;
  }
}

/// Only counters of the table: a netdev has hundreds, per queue, that say nothing here.
void read_netdev(const Tree& tree, const std::string& netdev, PortCounters& counters) {
  const std::string directory = "/sys/class/net/" + netdev;
  for (const CounterFact& fact : ethernet_counter_facts()) {
    if (fact.source != CounterSource::netdev) continue;
    const std::string name(fact.name);
    const std::string folder = name.starts_with("carrier_") ? "/" : "/statistics/";
    if (const auto value = tree.read_count(directory + folder + name))
      counters.values[{CounterSource::netdev, netdev, name}] = *value;
  }
}

/// The links that carry the port's packets: of a bond its members.
std::vector<std::string> netdevs_of(const machine::Hca& hca) {
  if (!hca.bond_members.empty()) return hca.bond_members;
  return hca.netdev.empty() ? std::vector<std::string>{} : std::vector{hca.netdev};
}

}  // namespace

CounterReader::CounterReader(std::vector<machine::Hca> ports, std::string root, EthtoolStatistics ethtool,
                             Wait wait)
    : ports_(std::move(ports)), root_(std::move(root)), ethtool_(std::move(ethtool)), wait_(std::move(wait)) {
  if (!ethtool_ && root_.empty()) ethtool_ = read_ethtool_statistics;
  if (!wait_) wait_ = [](milliseconds time) { std::this_thread::sleep_for(time); };
}

milliseconds CounterReader::lifespan() const {
  const Tree tree(root_);
  milliseconds longest{0};
  for (const machine::Hca& hca : ports_)
    if (const auto told = tree.read_count(directory_of(hca) + "/hw_counters/lifespan"); told && *told > 0)
      longest = std::max(longest, milliseconds(static_cast<milliseconds::rep>(*told)) + tick);
  return longest;
}

std::vector<PortCounters> CounterReader::read() const {
  if (const milliseconds time = lifespan(); time > milliseconds::zero()) wait_(time);
  std::vector<PortCounters> all;
  all.reserve(ports_.size());
  for (const machine::Hca& hca : ports_) all.push_back(read_port(hca));
  return all;
}

PortCounters CounterReader::read_port(const machine::Hca& hca) const {
  const Tree tree(root_);
  PortCounters counters{.device = hca.device, .port = hca.port, .values = {}};
  read_directory(tree, directory_of(hca) + "/counters", CounterSource::port, counters);
  read_directory(tree, directory_of(hca) + "/hw_counters", CounterSource::hw, counters);
  for (const std::string& netdev : netdevs_of(hca)) {
    read_netdev(tree, netdev, counters);
    if (!ethtool_) continue;
    for (const auto& [name, value] : ethtool_(netdev))
      if (find_counter(CounterSource::ethtool, name) != nullptr)
        counters.values[{CounterSource::ethtool, netdev, name}] = value;
  }
  return counters;
}

}  // namespace assay::link
