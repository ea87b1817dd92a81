// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/classify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::link {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Moved {
  CounterSource source;
  std::string name;
  std::uint64_t before, after;
};

/// One port with these counters, and beside them two quiet ones that make "clean" possible.
std::vector<CounterDelta> port_with(const std::vector<Moved>& counters) {
  PortCounters before{"mlx5_0", 1, {}}, after = before;
  const auto add = [&](const Moved& one) {
    const CounterName name = {one.source, one.source >= CounterSource::netdev ? "eth4" : "", one.name};
    before.values[name] = one.before;
    after.values[name] = one.after;
  };
  add({CounterSource::hw, "local_ack_timeout_err", 4, 4});
  add({CounterSource::port, "port_rcv_errors", 0, 0});
  for (const Moved& one : counters) add(one);
  return counter_deltas({before}, {after});
}

Classification class_with(const std::vector<Moved>& counters, const Circumstances& circumstances = {}) {
  return classify(port_with(counters), circumstances);
}

TEST(Classify, TrafficAloneIsClean) {
  const Classification clean =
      class_with({{CounterSource::port, "port_xmit_data", 0, 1000}, {CounterSource::hw, "sent_pkts", 0, 7}});
  EXPECT_EQ(clean.point_class, PointClass::clean);
  EXPECT_EQ(describe(clean), "clean: 2 counters watched");
  EXPECT_THAT(clean.also_moved, IsEmpty());
}

TEST(Classify, PauseAndNoticesAreCongestion) {
  EXPECT_EQ(class_with({{CounterSource::ethtool, "rx_prio3_pause", 0, 4}}).point_class,
            PointClass::congested);
  EXPECT_EQ(class_with({{CounterSource::hw, "rp_cnp_handled", 0, 4}}).point_class, PointClass::congested);
  EXPECT_EQ(class_with({{CounterSource::port, "port_xmit_wait", 0, 4}}).point_class, PointClass::congested);
}

TEST(Classify, RetransmissionIsLossAndNamesItsCounters) {
  const Classification lossy = class_with(
      {{CounterSource::hw, "out_of_sequence", 1, 13}, {CounterSource::hw, "packet_seq_err", 0, 3}});
  EXPECT_EQ(lossy.point_class, PointClass::lossy);
  EXPECT_THAT(describe(lossy), StartsWith("lossy: mlx5_0 out_of_sequence +12 (packets arrived out of order"));
  EXPECT_THAT(describe(lossy), HasSubstr("; mlx5_0 packet_seq_err +3 (NAK"));
}

TEST(Classify, OfRxeFollowsItsOwnCounters) {
  EXPECT_EQ(class_with({{CounterSource::hw, "rcvd_seq_err", 0, 1}}).point_class, PointClass::lossy);
  EXPECT_EQ(class_with({{CounterSource::hw, "completer_retry_err", 0, 6}}).point_class, PointClass::lossy);
  EXPECT_EQ(class_with({{CounterSource::hw, "rcvd_rnr_err", 0, 1}}).point_class, PointClass::congested);
  EXPECT_EQ(class_with({{CounterSource::hw, "retry_exceeded_err", 0, 1}}).point_class, PointClass::faulty);
  EXPECT_EQ(class_with({{CounterSource::hw, "link_downed", 0, 1}}).point_class, PointClass::faulty);
}

TEST(Classify, TheGravestCounterDecidesAndStandsFirst) {
  const Classification faulty = class_with({{CounterSource::hw, "out_of_sequence", 0, 1},
                                            {CounterSource::hw, "rx_icrc_encapsulated", 0, 1},
                                            {CounterSource::hw, "np_cnp_sent", 0, 9}});
  EXPECT_EQ(faulty.point_class, PointClass::faulty);
  ASSERT_EQ(faulty.reasons.size(), 3U);
  EXPECT_THAT(faulty.reasons[0], HasSubstr("rx_icrc_encapsulated +1"));
  EXPECT_THAT(faulty.reasons[2], HasSubstr("np_cnp_sent +9"));
}

TEST(Classify, OutOfSequenceIsNormalUnderAdaptiveRoutingUnlessSomethingWasRetransmitted) {
  const std::vector<Moved> overtaken = {{CounterSource::hw, "out_of_sequence", 0, 12}};
  const Classification routed = class_with(overtaken, {.adaptive_routing = true});
  EXPECT_EQ(routed.point_class, PointClass::clean);
  EXPECT_THAT(routed.also_moved, ElementsAre("mlx5_0 out_of_sequence +12"));
  EXPECT_EQ(
      class_with({overtaken[0], {CounterSource::hw, "packet_seq_err", 0, 1}}, {.adaptive_routing = true})
          .point_class,
      PointClass::lossy);
}

TEST(Classify, SymbolErrorsAreFaultyAboveTheRateThatIsAllowed) {
  const std::vector<Moved> three = {{CounterSource::port, "symbol_error", 0, 3}};
  EXPECT_EQ(class_with(three, {.gbit_per_s = 400, .seconds = 10}).point_class,
            PointClass::clean);  // 4 are allowed
  EXPECT_EQ(class_with(three, {.gbit_per_s = 400, .seconds = 1}).point_class, PointClass::faulty);
  EXPECT_EQ(class_with(three).point_class, PointClass::faulty);  // rate not told: none is allowed
}

TEST(Classify, WorkFlushedAtTheEndOfAQpIsNoFault) {
  EXPECT_EQ(class_with({{CounterSource::hw, "resp_cqe_error", 0, 8},
                        {CounterSource::hw, "resp_cqe_flush_error", 0, 8}})
                .point_class,
            PointClass::clean);
  EXPECT_EQ(class_with({{CounterSource::hw, "resp_cqe_error", 0, 9},
                        {CounterSource::hw, "resp_cqe_flush_error", 0, 8}})
                .point_class,
            PointClass::faulty);
}

TEST(Classify, ACounterWithoutAMeaningIsToldAndDoesNotJudge) {
  const Classification clean = class_with({{CounterSource::hw, "brand_new_counter", 3, 5}});
  EXPECT_EQ(clean.point_class, PointClass::clean);
  EXPECT_THAT(clean.also_moved, ElementsAre("mlx5_0 brand_new_counter +2"));
}

TEST(Classify, NothingReadIsUnknownAndNeverClean) {
  EXPECT_EQ(classify({}).point_class, PointClass::unknown);
  EXPECT_EQ(describe(classify({})), "unknown: no counter of trouble could be read");
  const auto silent = classify(counter_deltas({{"mlx5_1", 1, {}}}, {{"mlx5_1", 1, {}}}));
  EXPECT_EQ(describe(silent), "unknown: mlx5_1 tells no counter");
}

TEST(Classify, APortThatTellsTrafficOnlyIsUnknown) {
  const CounterName sent = {CounterSource::port, "", "port_xmit_data"};
  const PortCounters port = {"mlx5_0", 1, {{sent, 1}}};
  EXPECT_EQ(classify(counter_deltas({port}, {port})).point_class, PointClass::unknown);
}

TEST(Classify, OneSilentPortOfTwoMakesTheWholeUnknown) {
  const CounterName errors = {CounterSource::port, "", "port_rcv_errors"};
  const std::vector<PortCounters> two = {{"mlx5_0", 1, {{errors, 0}}}, {"mlx5_1", 1, {}}};
  EXPECT_EQ(classify(counter_deltas(two, two)).point_class, PointClass::unknown);
}

TEST(Classify, AFullCounterOfTroubleMakesItUnknownUnlessLossWasSeen) {
  const Moved full = {CounterSource::port, "symbol_error", 65535, 65535};
  const Classification unknown = class_with({full});
  EXPECT_EQ(unknown.point_class, PointClass::unknown);
  EXPECT_THAT(describe(unknown), HasSubstr("unknown: mlx5_0 symbol_error was full from the start"));
  EXPECT_EQ(class_with({full, {CounterSource::hw, "packet_seq_err", 0, 1}}).point_class, PointClass::lossy);
  EXPECT_EQ(class_with({full, {CounterSource::hw, "np_cnp_sent", 0, 1}}).point_class, PointClass::unknown);
}

TEST(Classify, AFullCounterOfWaitingHidesCongestionOnly) {
  const Classification clean = class_with({{CounterSource::port, "port_xmit_wait", 4294967295, 4294967295}});
  EXPECT_EQ(clean.point_class, PointClass::clean);
  EXPECT_THAT(clean.cannot_tell, ElementsAre(HasSubstr("port_xmit_wait was full")));
  EXPECT_THAT(describe(clean), StartsWith("clean: 2 counters watched; mlx5_0 port_xmit_wait was full"));
}

TEST(Facts, OfAClassificationGoIntoTheRecord) {
  const auto all = facts(class_with({{CounterSource::hw, "brand_new_counter", 3, 5}}));
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0], core::Fact("link_class", "clean"));
  EXPECT_EQ(all[1], core::Fact("link_counters", "clean: 2 counters watched"));
  EXPECT_EQ(all[2], core::Fact("link_counters_watched", std::int64_t{2}));
  EXPECT_EQ(all[3], core::Fact("link_also_moved", "mlx5_0 brand_new_counter +2"));
}

TEST(Worst, OfBothEndsPutsUnknownBetweenCongestedAndLossy) {
  EXPECT_EQ(worst(PointClass::clean, PointClass::congested), PointClass::congested);
  EXPECT_EQ(worst(PointClass::unknown, PointClass::congested), PointClass::unknown);
  EXPECT_EQ(worst(PointClass::unknown, PointClass::lossy), PointClass::lossy);
  EXPECT_EQ(worst(PointClass::faulty, PointClass::lossy), PointClass::faulty);
}

}  // namespace
}  // namespace assay::link
