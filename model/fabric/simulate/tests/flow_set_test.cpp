// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/flow_set.hpp"

#include <gtest/gtest.h>

namespace assay::model::fabric {
namespace {

/// Parts of a sprayed message share a port with another message as one message, not as many.
TEST(FlowSet, ASprayedMessageHasTheShareOfOne) {
  const FabricModel model(parse_fabric(
      "preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 4\nspines = 4\nlink = { hop_latency_us = 0 }\n"
      "routing = { kind = 'spray', spray_efficiency = 1 }\n",
      "zone.toml"));
  const MessageRouter router(model.router(1));
  constexpr std::uint64_t bytes = 64 << 20;
  for (const SharingRuleKind rule : {SharingRuleKind::max_min, SharingRuleKind::occupancy}) {
    FlowSet flows(model, router);
    const FlowId local = flows.add(0, 1, bytes), sprayed = flows.add(0, 4, bytes - bytes / 64);
    const Timeline timeline = flows.run(rule, 1);
    const double alone_us = static_cast<double>(bytes) / model.capacity(0);
    EXPECT_NEAR(timeline.end_us[sprayed] / alone_us, 2 * 63.0 / 64, 0.002) << rule_words.of(rule);
    EXPECT_NEAR(timeline.end_us[local] / alone_us, 2 - 1.0 / 64, 0.02);
  }
}

}  // namespace
}  // namespace assay::model::fabric
