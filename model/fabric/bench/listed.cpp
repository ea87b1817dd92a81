// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of a site's list of cables: time must not grow with hosts times leaves times spines.
#include <benchmark/benchmark.h>

#include <string>

#include "model/fabric/load.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/sharing/buffer_cycle.hpp"

namespace assay::model::fabric {
namespace {

/// Each leaf of `per_leaf` hosts with each spine; more hosts on the first spines, one each.
std::vector<NamedCable> cables_of(int leaves, int spines, int per_leaf, int on_spines) {
  std::vector<NamedCable> cables;
  int host = 0;
  const auto add_host = [&](const std::string& upper) {
    cables.push_back({"host" + std::to_string(host++), upper});
  };
  for (int leaf = 0; leaf < leaves; ++leaf) {
    const std::string name = "leaf" + std::to_string(leaf);
    for (int one = 0; one < per_leaf; ++one) add_host(name);
    for (int spine = 0; spine < spines; ++spine) cables.push_back({name, "spine" + std::to_string(spine)});
  }
  for (int spine = 0; spine < on_spines; ++spine) add_host("spine" + std::to_string(spine));
  return cables;
}

/// With two hosts on spines, paths do not go up and then down, and buffers are searched for circles.
void listed_3440_hosts(benchmark::State& state) {
  const std::vector<NamedCable> cables = cables_of(172, 84, 20, static_cast<int>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
    const Topology topology = from_cables(cables);
    const Router router(topology, {});
    Load load(router);
    for (NodeId host = 0; host < topology.hosts(); ++host)
      load.add(host, (host + 20) % topology.hosts(), 1U << 20U);
    benchmark::DoNotOptimize(load.bytes_of_links().front() +
                             static_cast<double>(buffer_cycle(topology).size()));
  }
}
BENCHMARK(listed_3440_hosts)
    ->ArgName("on_spines")
    ->Arg(0)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace assay::model::fabric
