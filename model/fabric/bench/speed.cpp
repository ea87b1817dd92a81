// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of simulating whole clusters, one row for each bar that the fabric model has to meet on two
// processors.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "model/fabric/all_to_all.hpp"
#include "model/fabric/load.hpp"
#include "model/fabric/phases.hpp"
#include "model/fabric/placement.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routing/traffic_engineering.hpp"
#include "model/fabric/sharing/occupancy.hpp"
#include "model/fabric/sharing/timeline_parts.hpp"

namespace assay::model::fabric {
namespace {

constexpr unsigned threads = 2;

/// As the process has used at most so far, MB of 10^6 bytes.
void count_memory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

const Topology& cluster() {
  static const Topology topology = data_centre();  // 24,576 GPUs
  return topology;
}

void build_32768_gpus(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Topology topology = data_centre({.zone = {.leaves = 256}});
    benchmark::DoNotOptimize(topology.links());
  }
  count_memory(state);
}
BENCHMARK(build_32768_gpus)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void route_32768_gpus(benchmark::State& state) {
  const Topology topology = data_centre({.zone = {.leaves = 256}});
  for ([[maybe_unused]] auto _ : state) {
    const Router router(topology, {});
    benchmark::DoNotOptimize(router.settings().seed);
  }
  count_memory(state);
}
BENCHMARK(route_32768_gpus)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// The bound of each distinct step of an all-reduce, one rank a GPU, added up.
double all_reduce_us(const Router& router, const Pattern& pattern, bool one_set) {
  const PatternSize size{static_cast<int>(router.topology().hosts()), std::uint64_t{1} << 30U};
  const int steps = pattern.steps(size.ranks), solved = one_set ? 1 : steps;
  double time_us = 0;
  for (int step = 0; step < solved; ++step) {
    const Load load = load_of(
        router,
        [&](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
          if (const auto sent = pattern.send(size, step, static_cast<int>(source)))
            send(static_cast<NodeId>(sent->to), sent->bytes);
        },
        threads);
    time_us += bound_of(load.bytes_of_links(), router.topology().capacities()).time_us;
  }
  return one_set ? time_us * steps : time_us;
}

void ring_24576_gpus(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Router router(cluster(), {.kind = RoutingKind::e_ecmp, .queue_pairs = 4});
    benchmark::DoNotOptimize(all_reduce_us(router, pattern("ring_all_reduce"), true));
  }
  count_memory(state);
}
BENCHMARK(ring_24576_gpus)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

void halving_doubling_24576_gpus(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Router router(cluster(), {.kind = RoutingKind::e_ecmp, .queue_pairs = 4});
    benchmark::DoNotOptimize(all_reduce_us(router, pattern("halving_doubling_all_reduce"), false));
  }
  count_memory(state);
}
BENCHMARK(halving_doubling_24576_gpus)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// Ten hierarchical all-reduces, over rails by halving and doubling, and by rings, one after another.
void training_step_24576_gpus(benchmark::State& state) {
  const auto hosts = static_cast<int>(cluster().hosts());
  for ([[maybe_unused]] auto _ : state) {
    const Router router(cluster(), {.kind = RoutingKind::e_ecmp, .queue_pairs = 16});
    double time_us = 0;
    for (int collective = 0; collective < 10; ++collective)
      for (const Phase& phase : hierarchical_all_reduce(
               {hosts, std::uint64_t{1} << 30U}, 8,
               pattern(collective % 2 == 0 ? "halving_doubling_all_reduce" : "ring_all_reduce"))) {
        if (phase.in_node) continue;
        const Load load = load_of(
            router,
            [&](NodeId source, const std::function<void(NodeId, std::uint64_t)>& send) {
              phase.sends(static_cast<int>(source),
                          [&](int to, std::uint64_t bytes) { send(static_cast<NodeId>(to), bytes); });
            },
            threads);
        time_us += phase.repeats * bound_of(load.bytes_of_links(), cluster().capacities()).time_us;
      }
    state.counters["step_ms"] = time_us / 1000;
  }
  count_memory(state);
}
BENCHMARK(training_step_24576_gpus)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// The maximum over the mean of all links from leaves up.
double uplink_max_over_mean(const std::vector<double>& bytes_of_links) {
  const LinkId first = cluster().first_up(cluster().leaf_of(0));
  const LinkId end = cluster().end_up(cluster().hosts() + cluster().leaves() - 1);
  const std::span uplinks = std::span(bytes_of_links).subspan(first, end - first);
  const double sum = std::accumulate(uplinks.begin(), uplinks.end(), 0.0);
  return std::ranges::max(uplinks) * static_cast<double>(uplinks.size()) / sum;
}

/// All 604 million flows of a queue pair at once.
void all_to_all_24576_gpus(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Router router(cluster(), {.kind = state.range(0) != 0 ? RoutingKind::e_ecmp : RoutingKind::ecmp,
                                    .queue_pairs = static_cast<int>(state.range(1))});
    std::vector<NodeId> hosts(cluster().hosts());
    std::iota(hosts.begin(), hosts.end(), NodeId{0});
    const std::vector<std::uint64_t> bytes(hosts.size(), 43690);
    const FlowChoice choice = state.range(2) != 0 ? FlowChoice::drawn : FlowChoice::hashed;
    const Load load = all_to_all_load(router, hosts, bytes, threads, choice);
    state.counters["uplink_max_over_mean"] = uplink_max_over_mean(load.bytes_of_links());
  }
  count_memory(state);
}
BENCHMARK(all_to_all_24576_gpus)
    ->ArgNames({"enhanced", "queue_pairs", "drawn"})
    ->Args({0, 1, 0})
    ->Args({1, 1, 0})
    ->Args({1, 4, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

struct Flows {
  Paths paths;
  std::vector<Message> messages;
};

Flows flows_of(const Router& router, const std::vector<NodeId>& to, std::uint64_t bytes) {
  Flows flows;
  for (NodeId source = 0; source < to.size(); ++source)
    if (to[source] != source)
      router.route(source, to[source], bytes, 0, [&](std::span<const LinkId> path, std::uint64_t part) {
        flows.paths.append(path);
        flows.messages.push_back({.bytes = static_cast<double>(part)});
      });
  return flows;
}

/// The time of the last completion by occupancy, parts of the flows on threads.
double makespan_us(const Topology& topology, const Flows& flows, unsigned workers) {
  const RuleOfPart rule = [&](const TimelinePart& part, unsigned own_threads) -> SharingRule {
    std::vector<QueueSettings> queues;
    for (const LinkId link : part.links) queues.push_back({topology.capacity(link), 512.0 * 1024});
    std::vector<SenderSettings> senders;
    for (const FlowId flow : part.flows)
      senders.push_back({flows.messages[flow].bytes, topology.capacity(flows.paths[flow].front())});
    const auto occupancy =
        std::make_shared<Occupancy>(part.paths, std::move(queues), std::move(senders), own_threads);
    return
        [occupancy](std::span<const FlowId> some, std::span<double> rates) { occupancy->share(some, rates); };
  };
  return timeline_in_parts(flows.messages, {}, flows.paths, topology.links(), rule, workers).makespan_us();
}

std::vector<NodeId> next_leaf(NodeId hosts) {
  std::vector<NodeId> to(hosts);
  for (NodeId source = 0; source < hosts; ++source) to[source] = (source + 16) % hosts;
  return to;
}

std::vector<NodeId> permutation(NodeId hosts, unsigned seed) {
  std::vector<NodeId> to(hosts);
  std::iota(to.begin(), to.end(), NodeId{0});
  std::mt19937_64 random(seed);
  std::shuffle(to.begin(), to.end(), random);
  return to;
}

void occupancy_24576_gpus(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Router router(cluster(),
                        {.kind = RoutingKind::e_ecmp, .queue_pairs = static_cast<int>(state.range(0))});
    const std::vector<NodeId> to =
        state.range(1) != 0 ? permutation(cluster().hosts(), 1) : next_leaf(cluster().hosts());
    const double time_us = makespan_us(cluster(), flows_of(router, to, 16U << 20U), threads);
    state.counters["makespan_us"] = time_us;
  }
  count_memory(state);
}
BENCHMARK(occupancy_24576_gpus)
    ->ArgNames({"queue_pairs", "permutation"})
    ->Args({1, 0})
    ->Args({4, 0})
    ->Args({1, 1})
    ->Args({4, 1})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void traffic_plan_24576_gpus(benchmark::State& state) {
  const std::vector<NodeId> to =
      state.range(0) != 0 ? permutation(cluster().hosts(), 1) : next_leaf(cluster().hosts());
  const NextHops next_hops(cluster());
  for ([[maybe_unused]] auto _ : state) {
    std::vector<Demand> demands;
    for (NodeId source = 0; source < to.size(); ++source)
      if (to[source] != source) demands.push_back({source, cluster().leaf_of(to[source]), 1e6});
    state.counters["busiest_us"] = plan_traffic(cluster(), next_hops, demands).most_loaded_us();
  }
  count_memory(state);
}
BENCHMARK(traffic_plan_24576_gpus)
    ->ArgName("permutation")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// Nodes of 8 GPUs into 8 zones of 192 leaves: all-reduces of 64 nodes, dealt out over the cluster.
void place_3072_nodes(benchmark::State& state) {
  constexpr int nodes = 3072, group = 64, groups = nodes / group;
  TrafficGraph graph(nodes);
  for (int first = 0; first < groups; ++first)
    for (int at = 0; at < group; ++at)
      for (int distance = 1; distance < group; distance *= 2)
        if ((at ^ distance) > at)
          graph.add(at * groups + first, (at ^ distance) * groups + first, 1e9 / distance);
  for ([[maybe_unused]] auto _ : state) {
    const Placement placement = place(graph, 8);
    state.counters["cut_GB_before"] = placement.cut_before / 1e9;
    state.counters["cut_GB"] = placement.cut / 1e9;
    state.counters["bound_GB"] = placement.bound / 1e9;
  }
  count_memory(state);
}
BENCHMARK(place_3072_nodes)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

/// Simulates by occupancy, seeds shared among the threads.
void hundred_seeds_of_1024_gpus(benchmark::State& state) {
  const Topology zone = ai_zone({.leaves = 64});
  const int queue_pairs = static_cast<int>(state.range(0));
  for ([[maybe_unused]] auto _ : state) {
    std::atomic<std::uint32_t> next = 1;
    const auto work = [&] {
      for (std::uint32_t seed = next++; seed <= 100; seed = next++) {
        const Router router(zone, {.kind = RoutingKind::e_ecmp, .seed = seed, .queue_pairs = queue_pairs});
        benchmark::DoNotOptimize(makespan_us(zone, flows_of(router, permutation(1024, seed), 16U << 20U), 1));
      }
    };
    std::vector<std::jthread> workers;
    for (unsigned own = 0; own < threads; ++own) workers.emplace_back(work);
  }
  count_memory(state);
}
BENCHMARK(hundred_seeds_of_1024_gpus)
    ->ArgName("queue_pairs")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace assay::model::fabric

BENCHMARK_MAIN();
