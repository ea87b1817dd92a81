// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sixteen hosts below four leaves, every pair measured in rounds, both ways, and what `assay accept` says.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "harness/core/mix.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli::tests {

constexpr int zone_hosts = 16, hosts_of_leaf = 4;

/// The share of its rate that a flow keeps, by the hosts that it joins.
using Kept = std::function<double(int from, int to)>;

/// Slows hosts of leaf 2 that send to other leaves over their only uplink.
inline double by_slow_uplink(int from, int to) {
  return from / hosts_of_leaf == 2 && to / hosts_of_leaf != 2 ? 0.8 : 1;
}
inline double by_slow_host(int from, int to) { return from == 6 || to == 6 ? 0.8 : 1; }
inline double sound(int, int) { return 1; }

class AcceptFabric : public testing::Test {
 protected:
  AcceptFabric() { fabric("n[1-16]"); }

  void fabric(const std::string& nodes, int spines = 1, const std::string& hash = "ideal") {
    toml_ = "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 4\nspines = " + std::to_string(spines) +
            "\nnodes = '" + nodes + "'\nhost = { gpus = 1 }\nrouting = { kind = 'e-ecmp', hash = '" + hash +
            "' }\n";
    results::test::write_text(folder_ / "zone.toml", toml_);
  }

  /// Half a tournament's round a point.
  void measure(const Kept& kept, int runs = 3) {
    measure([&](int run, int from, int to) { return flow(run, from, to, kept(from, to)); }, zone_hosts / 2,
            runs);
  }

  /// Sets the adapters' addresses, which the records then name.
  void addresses(const std::vector<std::string>& texts) { addresses_ = texts; }

  /// One pair a point, over queue pairs whose paths by the fabric's routing cross `slow` or do not.
  void measure_over_ports(const std::string& slow) {
    namespace fabric = model::fabric;
    fabric::FabricFile file = fabric::parse_fabric(toml_, "zone.toml");
    fabric::HostAddresses bytes;
    for (const std::string& text : addresses_) bytes.push_back(path::address_bytes(text));
    if (!bytes.empty()) file.routing.addresses = std::make_shared<const fabric::HostAddresses>(bytes);
    const fabric::Topology topology = fabric::topology_of(file);
    const fabric::Router router(topology, file.routing);
    const fabric::LinkId link = topology.link_named(slow);
    const auto over_ports = [&](int run, int from, int to) {
      const std::uint64_t drawn = draw(run + 100, from, to);
      const core::QueuePairReport ports{static_cast<std::int64_t>(0xC000 + drawn % 0x4000),
                                        static_cast<std::int64_t>(drawn >> 44U)};
      const auto path = router.path_of(
          static_cast<fabric::NodeId>(from), static_cast<fabric::NodeId>(to),
          {static_cast<std::uint16_t>(ports.source_port), static_cast<std::uint32_t>(ports.destination_qpn)});
      results::FlowReport report = flow(run, from, to, std::ranges::count(path, link) > 0 ? 0.8 : 1);
      report.queue_pairs = {ports};
      return report;
    };
    measure(over_ports, 1, 3);
  }

  Said accept(const std::string& flags) {
    return assay_in(folder_.path(), "accept --store s.sqlite " + flags);
  }

  /// Failed rows of v.json, the worst first.
  std::vector<results::VerdictRow> failed_rows() const {
    std::vector<results::VerdictRow> rows = results::read_verdicts(folder_ / "v.json").rows.unpacked();
    std::erase_if(rows, [](const auto& row) { return row.verdict != results::Verdict::fail; });
    return rows;
  }

  results::test::TemporaryFolder folder_;

 private:
  std::string toml_;
  std::vector<std::string> addresses_;

  /// Every run on a day of its own, of nine at most.
  static void stamp(results::Record& record, int run) {
    if (auto* context = std::get_if<results::ContextRecord>(&record)) {
      context->host = "n1";
      context->started = "2026-01-0" + std::to_string(run + 1) + "T00:00:00.000Z";
    } else if (auto* end = std::get_if<results::EndRecord>(&record)) {
      end->ended = "2026-01-0" + std::to_string(run + 1) + "T01:00:00.000Z";
    }
  }

  using FlowOf = std::function<results::FlowReport(int run, int from, int to)>;

  void measure(const FlowOf& flow_of, int pairs_a_point, int runs) {
    results::Store store(folder_ / "s.sqlite");
    for (int run = 0; run < runs; ++run) store.add(run_of(run, flow_of, pairs_a_point));
  }

  static std::uint64_t draw(int run, int from, int to) {
    return core::mix64(static_cast<std::uint64_t>((run * zone_hosts + from) * zone_hosts + to));
  }

  /// Noise of 0.4 % at most, the same in every test.
  static results::FlowReport flow(int run, int from, int to, double kept) {
    const double noise = 0.008 * (static_cast<double>(draw(run, from, to) >> 11U) / (1ULL << 53U) - 0.5);
    return {.from = from, .to = to, .gb_per_s = 48 * kept * (1 + noise)};
  }

  /// Every pair once, in rounds of the tournament by the circle method.
  static std::vector<std::pair<int, int>> all_pairs() {
    std::vector<std::pair<int, int>> pairs;
    for (int round = 0; round < zone_hosts - 1; ++round) {
      const auto seat = [&](int at) { return at == zone_hosts - 1 ? at : (at + round) % (zone_hosts - 1); };
      for (int at = 0; at < zone_hosts / 2; ++at) pairs.emplace_back(seat(at), seat(zone_hosts - 1 - at));
    }
    return pairs;
  }

  results::PointRecord point_of(results::test::RunBuilder& builder, std::int64_t number) const {
    results::PointRecord record =
        builder.point("rdma.verbs.pairs", {{"bytes", std::int64_t{1 << 20}}, {"round", number}});
    record.work_bytes = 1 << 20;
    record.conditions = {{"host", "n1"}, {"pairs_apart", "yes"}};
    for (int rank = 1; rank < zone_hosts; ++rank)
      record.ranks.push_back({rank, {{"host", "n" + std::to_string(rank + 1)}}});
    for (std::size_t rank = 0; rank < addresses_.size(); ++rank)
      (rank == 0 ? record.conditions : record.ranks[rank - 1].facts)
          .emplace_back("gid", addresses_[rank] + " (RoCE v2, index 3)");
    for (int rank = 0; rank < zone_hosts; ++rank)
      record.links.push_back({.rank = rank, .link_class = results::LinkClass::clean, .watched = 9});
    return record;
  }

  std::vector<results::Record> run_of(int run, const FlowOf& flow_of, int pairs_a_point) const {
    results::test::RunBuilder builder("r" + std::to_string(run));
    builder.begin(0, "rdma");
    const auto pairs = all_pairs();
    for (std::size_t at = 0; at < pairs.size(); at += static_cast<std::size_t>(pairs_a_point)) {
      results::PointRecord record = point_of(builder, static_cast<std::int64_t>(at));
      for (std::size_t pair = at; pair < at + static_cast<std::size_t>(pairs_a_point); ++pair)
        for (const auto& [from, to] : {pairs[pair], std::pair(pairs[pair].second, pairs[pair].first)})
          record.flows.push_back(flow_of(run, from, to));
      builder.measured(std::move(record), 22e-6 + 1e-9 * run,
                       {"bandwidth_gb_per_s", "GB/s", [](double s) { return (1 << 20) / s * 1e-9; }});
    }
    builder.end();
    std::vector<results::Record> records = builder.take();
    for (results::Record& record : records) stamp(record, run);
    return records;
  }
};

}  // namespace assay::cli::tests
