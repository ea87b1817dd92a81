// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay accept --fabric`: sixteen hosts below four leaves, every pair measured in rounds, both ways.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/core/mix.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "results/judge/verdicts.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::Said;

constexpr int zone_hosts = 16, hosts_of_leaf = 4;

/// What a flow keeps of its rate, by the hosts that it joins.
using Kept = std::function<double(int from, int to)>;

/// Of hosts of leaf 2 that send to other leaves over their only uplink.
double by_slow_uplink(int from, int to) {
  return from / hosts_of_leaf == 2 && to / hosts_of_leaf != 2 ? 0.8 : 1;
}
double by_slow_host(int from, int to) { return from == 6 || to == 6 ? 0.8 : 1; }
double sound(int, int) { return 1; }

class AcceptFabric : public testing::Test {
 protected:
  AcceptFabric() { fabric("n[1-16]"); }

  void fabric(const std::string& nodes, int spines = 1, const std::string& hash = "ideal") {
    toml_ = fmt::format(
        "preset = \"ai-zone\"\nleaves = 4\ngpus_per_leaf = 4\nspines = {}\nnodes = \"{}\"\n"
        "host = {{ gpus = 1 }}\nrouting = {{ kind = \"e-ecmp\", hash = \"{}\" }}\n",
        spines, nodes, hash);
    results::test::write_text(folder_ / "zone.toml", toml_);
  }

  /// Half a tournament's round a point.
  void measure(const Kept& kept, int runs = 3) {
    measure([&](int run, int from, int to) { return flow(run, from, to, kept(from, to)); }, zone_hosts / 2,
            runs);
  }

  /// Of the adapters, which the records then name.
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
    return tests::assay_in(folder_.path(), "accept --store s.sqlite " + flags);
  }

  /// Of v.json, the worst first.
  std::vector<results::VerdictRow> failed_rows() const {
    std::vector<results::VerdictRow> rows = results::read_verdicts(folder_ / "v.json").rows;
    std::erase_if(rows, [](const auto& row) { return row.verdict != results::Verdict::fail; });
    return rows;
  }

  results::test::TemporaryFolder folder_;

 private:
  std::string toml_;
  std::vector<std::string> addresses_;

  /// Every run on a day of its own.
  static void stamp(results::Record& record, int run) {
    if (auto* context = std::get_if<results::ContextRecord>(&record)) {
      context->host = "n1";
      context->started = fmt::format("2026-01-{:02}T00:00:00.000Z", run + 1);
    } else if (auto* end = std::get_if<results::EndRecord>(&record)) {
      end->ended = fmt::format("2026-01-{:02}T01:00:00.000Z", run + 1);
    }
  }

  using FlowOf = std::function<results::FlowReport(int run, int from, int to)>;

  void measure(const FlowOf& flow_of, int pairs_a_point, int runs) {
    results::Store store(folder_ / "s.sqlite");
    for (int run = 0; run < runs; ++run)
      for (const results::Record& record : run_of(run, flow_of, pairs_a_point)) store.add(record);
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
      record.ranks.push_back({rank, {{"host", fmt::format("n{}", rank + 1)}}});
    for (std::size_t rank = 0; rank < addresses_.size(); ++rank)
      (rank == 0 ? record.conditions : record.ranks[rank - 1].facts)
          .emplace_back("gid", addresses_[rank] + " (RoCE v2, index 3)");
    for (int rank = 0; rank < zone_hosts; ++rank)
      record.links.push_back({.rank = rank, .link_class = results::LinkClass::clean, .watched = 9});
    return record;
  }

  std::vector<results::Record> run_of(int run, const FlowOf& flow_of, int pairs_a_point) const {
    results::test::RunBuilder builder(fmt::format("r{}", run));
    builder.begin(0, "rdma");
    const auto pairs = all_pairs();
    for (std::size_t at = 0; at < pairs.size(); at += static_cast<std::size_t>(pairs_a_point)) {
      results::PointRecord record = point_of(builder, static_cast<std::int64_t>(at));
      for (std::size_t pair = at; pair < at + static_cast<std::size_t>(pairs_a_point); ++pair)
        for (const auto& [from, to] : {pairs[pair], std::pair(pairs[pair].second, pairs[pair].first)})
          record.flows.push_back(flow_of(run, from, to));
      builder.measured(std::move(record), 22e-6 + 1e-9 * run,
                       {"bandwidth_gb_per_s", "GB/s", [](double) { return 48; }});
    }
    builder.end();
    std::vector<results::Record> records = builder.take();
    for (results::Record& record : records) stamp(record, run);
    return records;
  }
};

TEST_F(AcceptFabric, NamesTheSlowUplinkAndSaysSoOfWhatItExplains) {
  measure(by_slow_uplink);
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, AllOf(HasSubstr("zone.toml: 1 slow element located by 720 flows"),
                               HasSubstr("keeps 80.0 % of its rate"), HasSubstr("; leaf2>spine0 explains it"),
                               Not(HasSubstr("are unlike the rest"))));
  const std::vector<results::VerdictRow> failed = failed_rows();
  ASSERT_EQ(failed.size(), 5U) << said.text;
  EXPECT_EQ(failed.front().unit, "leaf2>spine0");
  EXPECT_EQ(failed.front().kind, "link");
  EXPECT_EQ(failed.front().action, results::Action::reseat);
  for (std::size_t at = 1; at < failed.size(); ++at) {
    EXPECT_THAT(failed[at].because, HasSubstr("leaf2>spine0 explains it"));
    EXPECT_EQ(failed[at].action, results::Action::none) << failed[at].unit;
  }
}

TEST_F(AcceptFabric, NamesNoneInASoundZone) {
  measure(sound);
  const Said said = accept("--fabric zone.toml");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("zone.toml: no element is shown to be slow by 720 flows"));
}

TEST_F(AcceptFabric, NamesTheSlowHostWhichIsDrained) {
  measure(by_slow_host);
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("n7: these pairs cannot distinguish it from n7-leaf1"));
  for (const results::VerdictRow& row : failed_rows()) {
    EXPECT_EQ(row.unit, "n7");
    EXPECT_EQ(row.action, results::Action::drain) << row.because;
  }
}

TEST_F(AcceptFabric, LeavesAPairThatNoElementExplainsAsItIs) {
  measure([](int from, int to) { return from + to == 5 && from * to == 4 ? 0.8 : by_slow_uplink(from, to); });
  accept("--fabric zone.toml --verdicts v.json");
  const std::vector<results::VerdictRow> failed = failed_rows();
  const auto pair = std::ranges::find(failed, "n2 - n5", &results::VerdictRow::unit);
  ASSERT_NE(pair, failed.end());
  EXPECT_THAT(pair->because, Not(HasSubstr("explains")));
  EXPECT_EQ(failed.front().unit, "leaf2>spine0");
}

TEST_F(AcceptFabric, OfOneRunIsNotYetShownToLast) {
  measure(by_slow_uplink, 1);
  const Said said = accept("--fabric zone.toml --format json");
  EXPECT_EQ(said.exit_code, 3);
  const auto rows = nlohmann::json::parse(said.text)["rows"];
  EXPECT_EQ(rows[0]["unit"], "leaf2>spine0");
  EXPECT_EQ(rows[0]["verdict"], "INCONCLUSIVE");
}

TEST_F(AcceptFabric, TakesTheTopologyOfASite) {
  measure(by_slow_uplink);
  std::string cables = "SwitchName=top Switches=rack[1-4]\n";
  for (int leaf = 0; leaf < 4; ++leaf)
    cables += fmt::format("SwitchName=rack{} Nodes=n[{}-{}]\n", leaf + 1, 4 * leaf + 1, 4 * leaf + 4);
  results::test::write_text(folder_ / "topology.conf", cables);
  const Said said = accept("--fabric zone.toml --topology slurm=topology.conf --format markdown");
  EXPECT_THAT(said.text, HasSubstr("| FAIL | rack3>top | link |"));
}

TEST_F(AcceptFabric, SaysTheSameInABundleThatIsReplayedWithoutItsFiles) {
  measure(by_slow_uplink);
  results::test::write_text(folder_ / "t.csv", "");
  const Said made = tests::assay_in(folder_.path(), "bundle -o b.bundle --store s.sqlite --fabric zone.toml");
  EXPECT_EQ(made.exit_code, 1) << made.text;
  std::filesystem::remove(folder_ / "zone.toml");
  const Said replayed = tests::assay_in(folder_.path(), "replay b.bundle");
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_THAT(replayed.text, HasSubstr("FAIL     leaf2>spine0  link"));
}

TEST_F(AcceptFabric, WithRecordedPortsNamesTheUplinkAmongFour) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  const Said said = accept("--fabric zone.toml --verdicts v.json");
  EXPECT_THAT(said.text, HasSubstr("zone.toml: 1 slow element located by 720 flows, 720 of known paths"));
  const std::vector<results::VerdictRow> failed = failed_rows();
  ASSERT_FALSE(failed.empty()) << said.text;
  EXPECT_EQ(failed.front().unit, "leaf2>spine3");
  EXPECT_THAT(failed.front().evidence, testing::IsEmpty());
}

TEST_F(AcceptFabric, PathsFollowFromTheAddressesOfTheRecords) {
  fabric("n[1-16]", 4, "crc32");
  std::vector<std::string> texts;
  for (int host = 0; host < zone_hosts; ++host)
    texts.push_back(fmt::format("10.{}.{}.{}", 1 + host % 3, host * 7 % 13, 11 + host * 37 % 241));
  addresses(texts);
  measure_over_ports("leaf2>spine3");
  EXPECT_THAT(accept("--fabric zone.toml").text, HasSubstr("720 flows, 720 of known paths"));
  const Said located = tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0");
  EXPECT_THAT(located.text, AllOf(HasSubstr("leaf2>spine3 keeps 0.8"), Not(HasSubstr("are assumed"))));
  const std::string stated =
      fmt::format(" --set host.addresses={}", fmt::join(texts.rbegin(), texts.rend(), ","));
  EXPECT_EQ(
      tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0" + stated).text,
      located.text)
      << "what was measured counts before what is stated";
}

TEST_F(AcceptFabric, SaysThatAddressesAreAssumed) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  EXPECT_THAT(
      tests::assay_in(folder_.path(), "fabric locate zone.toml --store s.sqlite --run r0").text,
      HasSubstr("addresses of hosts are assumed, from 10.0.0.0 on: host.addresses of the fabric states"));
}

TEST_F(AcceptFabric, WhereSwitchesHashOtherwiseRecordedPortsDoNotCount) {
  fabric("n[1-16]", 4, "crc32");
  measure_over_ports("leaf2>spine3");
  fabric("n[1-16]", 4, "toeplitz");
  const Said said = accept("--fabric zone.toml");
  EXPECT_THAT(said.text,
              AllOf(HasSubstr("0 of known paths"), HasSubstr("the rates do not fit the paths"),
                    HasSubstr("cannot distinguish it from leaf2>spine1, leaf2>spine2, leaf2>spine3"),
                    Not(HasSubstr("UDP source port"))));
}

TEST_F(AcceptFabric, RefusesInOneLine) {
  measure(sound, 1);
  results::test::write_text(folder_ / "bad.toml", "preset = \"star\"\nhosts = 0\n");
  for (const auto& [flags, why] : std::vector<std::pair<std::string, std::string>>{
           {"--fabric none.toml", "none.toml"},
           {"--fabric bad.toml", "bad.toml:2: hosts"},
           {"--topology slurm=t.conf", "--topology: expected --fabric FILE with it"},
           {"--fabric zone.toml --topology slurm", "expected KIND=FILE"},
           {"--fabric zone.toml --topology ib=t.csv", "expected ibnetdiscover, lldp or slurm before '='"},
           {"--fabric zone.toml --topology lldp=none.csv", "none.csv"}}) {
    const Said said = accept(flags);
    EXPECT_EQ(said.exit_code, 2) << flags;
    EXPECT_THAT(said.text, HasSubstr(why)) << flags;
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  }
}

TEST_F(AcceptFabric, IsUndecidedWhereTheFabricHasNoSuchHosts) {
  measure(sound);
  fabric("n[1-15],x");
  const Said said = accept("--fabric zone.toml");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_THAT(said.text, AllOf(HasSubstr("the fabric has no host n16: expected each host of the records"),
                               HasSubstr("by 630 flows")));
}

TEST_F(AcceptFabric, ExpectsRanksOnTheServersThatTheFabricNames) {
  measure(sound, 1);
  const auto expect = [&] {
    return tests::assay_in(folder_.path(), "fabric expect zone.toml --store s.sqlite");
  };
  EXPECT_EQ(expect().exit_code, 0) << expect().text;
  fabric("n[1-15],m1");
  EXPECT_THAT(expect().text, HasSubstr("the fabric has no host for rank 15, though for others"));
}

}  // namespace
}  // namespace assay::cli
