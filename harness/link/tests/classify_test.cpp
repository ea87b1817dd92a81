// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/classify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::link {
namespace {

using core::LinkClass;
using core::LinkReport;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> described(const LinkReport& link, bool (*belongs)(const core::CounterReport&)) {
  std::vector<std::string> texts;
  for (const core::CounterReport& counter : link.counters)
    if (belongs(counter)) texts.push_back(describe(counter));
  return texts;
}

std::vector<std::string> troubles(const LinkReport& link) {
  return described(link, [](const auto& one) {
    return one.speaks_for != LinkClass::clean && one.speaks_for != LinkClass::unknown;
  });
}
std::vector<std::string> also_moved(const LinkReport& link) {
  return described(link, [](const auto& one) { return one.speaks_for == LinkClass::clean; });
}
std::vector<std::string> not_followed(const LinkReport& link) {
  return described(link, [](const auto& one) { return one.speaks_for == LinkClass::unknown; });
}

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

LinkReport class_with(const std::vector<Moved>& counters, const Circumstances& circumstances = {}) {
  return classify(port_with(counters), circumstances);
}

TEST(Classify, TrafficAloneIsClean) {
  const LinkReport clean =
      class_with({{CounterSource::port, "port_xmit_data", 0, 1000}, {CounterSource::hw, "sent_pkts", 0, 7}});
  EXPECT_EQ(clean.link_class, LinkClass::clean);
  EXPECT_EQ(describe(clean), "clean: 2 counters watched");
  EXPECT_THAT(also_moved(clean), IsEmpty());
}

TEST(Classify, PauseAndNoticesAreCongestion) {
  EXPECT_EQ(class_with({{CounterSource::ethtool, "rx_prio3_pause", 0, 4}}).link_class, LinkClass::congested);
  EXPECT_EQ(class_with({{CounterSource::hw, "rp_cnp_handled", 0, 4}}).link_class, LinkClass::congested);
  EXPECT_EQ(class_with({{CounterSource::port, "port_xmit_wait", 0, 4}}).link_class, LinkClass::congested);
}

TEST(Classify, RetransmissionIsLossAndNamesItsCounters) {
  const LinkReport lossy = class_with(
      {{CounterSource::hw, "out_of_sequence", 1, 13}, {CounterSource::hw, "packet_seq_err", 0, 3}});
  EXPECT_EQ(lossy.link_class, LinkClass::lossy);
  EXPECT_THAT(describe(lossy), StartsWith("lossy: mlx5_0 out_of_sequence +12 (packets arrived out of order"));
  EXPECT_THAT(describe(lossy), HasSubstr("; mlx5_0 packet_seq_err +3 (NAK"));
}

TEST(Classify, OfRxeFollowsItsOwnCounters) {
  EXPECT_EQ(class_with({{CounterSource::hw, "rcvd_seq_err", 0, 1}}).link_class, LinkClass::lossy);
  EXPECT_EQ(class_with({{CounterSource::hw, "completer_retry_err", 0, 6}}).link_class, LinkClass::lossy);
  EXPECT_EQ(class_with({{CounterSource::hw, "rcvd_rnr_err", 0, 1}}).link_class, LinkClass::congested);
  EXPECT_EQ(class_with({{CounterSource::hw, "retry_exceeded_err", 0, 1}}).link_class, LinkClass::faulty);
  EXPECT_EQ(class_with({{CounterSource::hw, "link_downed", 0, 1}}).link_class, LinkClass::faulty);
}

TEST(Classify, TheGravestCounterDecidesAndStandsFirst) {
  const LinkReport faulty = class_with({{CounterSource::hw, "out_of_sequence", 0, 1},
                                        {CounterSource::hw, "rx_icrc_encapsulated", 0, 1},
                                        {CounterSource::hw, "np_cnp_sent", 0, 9}});
  EXPECT_EQ(faulty.link_class, LinkClass::faulty);
  ASSERT_EQ(troubles(faulty).size(), 3U);
  EXPECT_THAT(troubles(faulty)[0], HasSubstr("rx_icrc_encapsulated +1"));
  EXPECT_THAT(troubles(faulty)[2], HasSubstr("np_cnp_sent +9"));
}

TEST(Classify, OutOfSequenceIsNormalUnderAdaptiveRoutingUnlessSomethingWasRetransmitted) {
  const std::vector<Moved> overtaken = {{CounterSource::hw, "out_of_sequence", 0, 12}};
  const LinkReport routed = class_with(overtaken, {.adaptive_routing = true});
  EXPECT_EQ(routed.link_class, LinkClass::clean);
  EXPECT_THAT(also_moved(routed), ElementsAre("mlx5_0 out_of_sequence +12"));
  EXPECT_EQ(
      class_with({overtaken[0], {CounterSource::hw, "packet_seq_err", 0, 1}}, {.adaptive_routing = true})
          .link_class,
      LinkClass::lossy);
}

TEST(Classify, SymbolErrorsAreFaultyAboveTheRateThatIsAllowed) {
  const std::vector<Moved> three = {{CounterSource::port, "symbol_error", 0, 3}};
  EXPECT_EQ(class_with(three, {.gbit_per_s = 400, .seconds = 10}).link_class,
            LinkClass::clean);  // 4 are allowed
  EXPECT_EQ(class_with(three, {.gbit_per_s = 400, .seconds = 1}).link_class, LinkClass::faulty);
  EXPECT_EQ(class_with(three).link_class, LinkClass::faulty);  // rate not told: none is allowed
}

TEST(Classify, WorkFlushedAtTheEndOfAQpIsNoFault) {
  EXPECT_EQ(class_with({{CounterSource::hw, "resp_cqe_error", 0, 8},
                        {CounterSource::hw, "resp_cqe_flush_error", 0, 8}})
                .link_class,
            LinkClass::clean);
  EXPECT_EQ(class_with({{CounterSource::hw, "resp_cqe_error", 0, 9},
                        {CounterSource::hw, "resp_cqe_flush_error", 0, 8}})
                .link_class,
            LinkClass::faulty);
}

TEST(Classify, ACounterWithoutAMeaningIsToldAndDoesNotJudge) {
  const LinkReport clean = class_with({{CounterSource::hw, "brand_new_counter", 3, 5}});
  EXPECT_EQ(clean.link_class, LinkClass::clean);
  EXPECT_THAT(also_moved(clean), ElementsAre("mlx5_0 brand_new_counter +2"));
}

TEST(Classify, NothingReadIsUnknownAndNeverClean) {
  EXPECT_EQ(classify({}).link_class, LinkClass::unknown);
  EXPECT_EQ(describe(classify({})), "unknown: no counter of trouble could be read");
  const auto silent = classify(counter_deltas({{"mlx5_1", 1, {}}}, {{"mlx5_1", 1, {}}}));
  EXPECT_EQ(describe(silent), "unknown: mlx5_1 has no counter");
}

TEST(Classify, APortThatTellsTrafficOnlyIsUnknown) {
  const CounterName sent = {CounterSource::port, "", "port_xmit_data"};
  const PortCounters port = {"mlx5_0", 1, {{sent, 1}}};
  EXPECT_EQ(classify(counter_deltas({port}, {port})).link_class, LinkClass::unknown);
}

TEST(Classify, OneSilentPortOfTwoMakesTheWholeUnknown) {
  const CounterName errors = {CounterSource::port, "", "port_rcv_errors"};
  const std::vector<PortCounters> two = {{"mlx5_0", 1, {{errors, 0}}}, {"mlx5_1", 1, {}}};
  EXPECT_EQ(classify(counter_deltas(two, two)).link_class, LinkClass::unknown);
}

TEST(Classify, AFullCounterOfTroubleMakesItUnknownUnlessLossWasSeen) {
  const Moved full = {CounterSource::port, "symbol_error", 65535, 65535};
  const LinkReport unknown = class_with({full});
  EXPECT_EQ(unknown.link_class, LinkClass::unknown);
  EXPECT_THAT(describe(unknown), HasSubstr("unknown: mlx5_0 symbol_error was full from the start"));
  EXPECT_EQ(class_with({full, {CounterSource::hw, "packet_seq_err", 0, 1}}).link_class, LinkClass::lossy);
  EXPECT_EQ(class_with({full, {CounterSource::hw, "np_cnp_sent", 0, 1}}).link_class, LinkClass::unknown);
}

TEST(Classify, AFullCounterOfWaitingHidesCongestionOnly) {
  const LinkReport clean = class_with({{CounterSource::port, "port_xmit_wait", 4294967295, 4294967295}});
  EXPECT_EQ(clean.link_class, LinkClass::clean);
  EXPECT_THAT(not_followed(clean), ElementsAre(HasSubstr("port_xmit_wait was full")));
  EXPECT_THAT(describe(clean), StartsWith("clean: 2 counters watched; mlx5_0 port_xmit_wait was full"));
}

TEST(Classify, ListsWhatTheCountersDidAsData) {
  const LinkReport link = class_with({{CounterSource::hw, "packet_seq_err", 0, 3},
                                      {CounterSource::hw, "brand_new_counter", 3, 5},
                                      {CounterSource::port, "symbol_error", 65535, 65535}});
  EXPECT_EQ(link.watched, 3);
  ASSERT_EQ(link.counters.size(), 3U);
  EXPECT_EQ(link.counters[0].counter, "mlx5_0 packet_seq_err");
  EXPECT_EQ(link.counters[0].moved, 3U);
  EXPECT_EQ(link.counters[0].speaks_for, LinkClass::lossy);
  EXPECT_THAT(link.counters[0].about, StartsWith("NAK"));
  EXPECT_EQ(link.counters[1].outcome, core::CounterReport::Outcome::was_full);
  EXPECT_EQ(link.counters[2].counter, "mlx5_0 brand_new_counter");
  EXPECT_EQ(link.counters[2].speaks_for, LinkClass::clean);
}

TEST(LinkClasses, PutUnknownBetweenCongestedAndLossy) {
  EXPECT_LT(LinkClass::clean, LinkClass::congested);
  EXPECT_LT(LinkClass::congested, LinkClass::unknown);
  EXPECT_LT(LinkClass::unknown, LinkClass::lossy);
  EXPECT_LT(LinkClass::lossy, LinkClass::faulty);
}

}  // namespace
}  // namespace assay::link
