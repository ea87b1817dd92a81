// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/link_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/machine/parts.hpp"
#include "harness/machine/tests/fake_hcas.hpp"
#include "rdma/tests/on_ranks.hpp"

namespace assay::rdma {
namespace {

using machine::FakeNode;

/// A 400 Gb/s InfiniBand port, and one flow over it.
struct WatchBench {
  WatchBench() {
    machine::write_port(node, {});
    machine::write_port_counters(node, "mlx5_0", {{"symbol_error", 2}, {"port_rcv_errors", 0}});
    machine::write_hw_counters(node, "mlx5_0", {{"out_of_sequence", 7}});
    machine::Notes notes;
    host.hcas = machine::read_hcas(machine::Tree(node.root()), notes);
    ends.emplace(tests::settings({.bytes = 1 << 20}));
    watch.emplace(host, *ends->first, node.root());
  }
  std::string fact(const std::string& name) const {
    for (const auto& [known, value] : watch->facts())
      if (known == name) return std::get<std::string>(value);
    return "none";
  }
  double metric(const std::string& name) const {
    const std::vector<FlowResult> results{
        {.flow = 0, .seconds = 1, .messages = 20000, .posted = {20000}, .each_s = {}}};
    for (const core::Metric& one : watch->metrics(results))
      if (one.name == name) return one.value;
    return -1;
  }

  FakeNode node;
  fake::FakeVerbs verbs{fake::DeviceSpec{.ports = {{.link_layer = IBV_LINK_LAYER_INFINIBAND,
                                                    .lid = 7,
                                                    .gids = {{fake::gid_of("fe80::b"), IBV_GID_TYPE_IB}}}}}};
  machine::Machine host;
  std::optional<tests::TwoEnds> ends;
  std::optional<LinkWatch> watch;
};

TEST(LinkWatch, WhereNothingMovedIsCleanAndBoundsTheErrorRate) {
  WatchBench bench;
  bench.watch->begin();
  bench.watch->end();
  EXPECT_EQ(bench.watch->report().link_class, core::LinkClass::clean) << describe(bench.watch->report());
  EXPECT_NEAR(bench.metric("port_gbit_per_s"), 167.77, 0.01);  // 20,000 MiB a second
  EXPECT_NEAR(bench.metric("ceiling_gbit_per_s"), 397.5, 0.1);
  EXPECT_NEAR(bench.metric("percent_of_ceiling"), 42.2, 0.1);
  EXPECT_NEAR(bench.metric("bit_error_rate_below"), 2.996 / (8.0 * 20000 * 1048576), 1e-13);
}

TEST(LinkWatch, WhereACounterOfErrorsMovedSaysWhichAndBoundsNothing) {
  WatchBench bench;
  bench.watch->begin();
  machine::write_port_counters(bench.node, "mlx5_0", {{"symbol_error", 5}, {"port_rcv_errors", 0}});
  bench.watch->end();
  EXPECT_EQ(bench.watch->report().link_class, core::LinkClass::faulty);
  EXPECT_THAT(describe(bench.watch->report()), testing::HasSubstr("symbol_error"));
  EXPECT_EQ(bench.metric("bit_error_rate_below"), -1);
}

TEST(LinkWatch, OfAPortThatTellsNothingIsUnknownAndHasNoCeiling) {
  WatchBench bench;
  bench.watch.emplace(machine::Machine{}, *bench.ends->first, bench.node.root());
  bench.watch->begin();
  bench.watch->end();
  EXPECT_EQ(bench.watch->report().link_class, core::LinkClass::unknown);
  EXPECT_EQ(bench.fact("link_ceiling"), "none: the rate of this device says nothing about its speed");
  EXPECT_EQ(bench.metric("ceiling_gbit_per_s"), -1);
  EXPECT_EQ(bench.metric("bit_error_rate_below"), -1);
}

}  // namespace
}  // namespace assay::rdma
