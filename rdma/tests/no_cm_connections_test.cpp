// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The refusal of connect=rdma_cm by a build without librdmacm. This program has no connection manager on any
// host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rdma/cases.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {
namespace {

constexpr const char* refusal = "this build has no librdmacm: connect=exchange needs none";

tests::Ended wired_by(Connect connect) {
  const fake::FakeVerbs verbs;
  Settings settings = tests::settings();
  settings.connect = connect;
  return tests::on_ranks(
             2, [&](team::Team& team) { const Wiring wiring(team, settings, {tests::flow(0, 1, settings)}); })
      .front();
}

TEST(WithoutLibrdmacm, APointIsLeftOutWithTheReason) {
  machine::Machine machine;
  machine.hcas.emplace_back();
  const auto cases = declared_cases(machine, 2);
  const auto bandwidth = std::ranges::find(cases, "rdma.verbs.bandwidth", &core::Case::name);
  ASSERT_NE(bandwidth, cases.end());
  EXPECT_EQ(bandwidth->unsupported(tests::point_with({{"connect", "rdma_cm"}})), "built without librdmacm");
  EXPECT_EQ(bandwidth->unsupported(tests::point_with({})), std::nullopt);
}

TEST(WithoutLibrdmacm, WiringIsUnsupportedAndNoFailure) {
  const tests::Ended ended = wired_by(Connect::rdma_cm);
  EXPECT_TRUE(ended.unsupported);
  EXPECT_EQ(ended.kind, core::ErrorKind::verbs);
  EXPECT_THAT(ended.what, testing::HasSubstr(refusal));
}

TEST(WithoutLibrdmacm, QueuePairsMeetByExchangedAttributes) {
  EXPECT_EQ(wired_by(Connect::exchange).what, "");
}

}  // namespace
}  // namespace assay::rdma
