// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/stream_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "harness/core/names.hpp"
#include "harness/team/agree.hpp"
#include "rdma/traffic/content.hpp"
#include "rdma/traffic/wiring/pattern.hpp"
#include "rdma/trials/conditions.hpp"
#include "rdma/trials/flow_ports.hpp"

namespace assay::rdma {
namespace {

std::vector<Flow> all_flows(const Schedule& schedule) {
  std::vector<Flow> flows;
  for (const Round& round : schedule.rounds) flows.insert(flows.end(), round.begin(), round.end());
  return flows;
}

/// The 8-byte counter at `offset` after `posted` atomics that each added 1.
std::string check_counter(const Memory& memory, std::size_t offset, std::int64_t posted) {
  std::array<std::byte, atomic_bytes> word{};
  memory.read(offset, word);
  const auto value = std::bit_cast<std::uint64_t>(word);
  return value == static_cast<std::uint64_t>(posted)
             ? std::string()
             : fmt::format("the counter holds {} after {} atomics", value, posted);
}

}  // namespace

StreamTrial::StreamTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                         const Schedule& schedule, Fault fault)
    : wiring_(team, settings, all_flows(schedule), fault),
      stream_(wiring_),
      suspect_share_(schedule.suspect_share),
      pairs_apart_(schedule.pairs_apart),
      watch_(machine, wiring_) {
  std::size_t next = 0;
  for (const Round& round : schedule.rounds) {
    std::vector<std::size_t>& indices = rounds_.emplace_back();
    for (std::size_t i = 0; i < round.size(); ++i) indices.push_back(next++);
  }
}

core::Timing StreamTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  try {
    if (rounds_.size() == 1) timing.seconds = stream_.run(rounds_.front(), iterations);
    if (rounds_.size() > 1)
      for (const auto& round : rounds_)
        timing.seconds += slowest_seconds(round, iterations) / static_cast<double>(rounds_.size());
  } catch (const core::Error&) {
    watch_.rethrow_with_counters();
  }
  return timing;
}

/// The slowest rank's seconds, where more follows than the end of a trial's call: a failure must reach every
/// rank before the next barrier.
double StreamTrial::slowest_seconds(const std::vector<std::size_t>& flows, std::int64_t messages) {
  const auto take_slower = [](std::string& all, const std::string& next) {
    if (std::stod(next) > std::stod(all)) all = next;
  };
  return std::stod(team::agree_on(
      wiring_.team(), [&] { return fmt::format("{}", stream_.run(flows, messages)); }, take_slower,
      team::Knows::everyone));
}

void StreamTrial::prepare_content() {
  const auto slots = static_cast<std::size_t>(wiring_.settings().placement.slots);
  for (const Lane& lane : wiring_.lanes()) {
    const Flow& flow = wiring_.flows()[lane.flow];
    if (atomic(flow.message.operation)) {  // the counter begins at 0, as the initiator's expectation does
      wiring_.memory().write(lane.offset, std::array<std::byte, atomic_bytes>{});
      continue;
    }
    // The source is at the flow's first rank, for a read at its second.
    const bool source = wiring_.begins_here(flow) != fetches(flow.message.operation);
    const std::size_t header = !source && flow.message.transport == Transport::ud ? ud_header_bytes : 0;
    for (std::size_t slot = 0; slot < slots; ++slot)
      fill(wiring_.memory(), lane.offset + slot * wiring_.stride_bytes(flow) + header,
           static_cast<std::size_t>(flow.message.bytes), Wiring::seed(lane), !source);
  }
}

void StreamTrial::sampling_begins() {
  prepare_content();
  stream_.restart();
  watch_.begin();
  cpu_.begins();
}

void StreamTrial::sampling_ends() {
  cpu_.ends();
  results_ = gather_results(wiring_.team(), stream_.senders());
  queue_pairs_ = gather_queue_pairs(wiring_);
  watch_.end(watch_.busiest_gbit_per_s(results_));
  if (suspect_share_ > 0) rerun_suspects();
}

/// Every rank knows the same results, so all of them rerun the same flows.
void StreamTrial::rerun_suspects() {
  constexpr double long_enough_s = 0.05;
  std::vector<double> rates;
  for (const FlowResult& result : results_) rates.push_back(result.gb_per_s(wiring_.flows()[result.flow]));
  for (const std::size_t suspect : suspects(rates, suspect_share_)) {
    const Flow& flow = wiring_.flows()[results_[suspect].flow];
    const double pace = results_[suspect].seconds / static_cast<double>(results_[suspect].messages);
    const auto messages = std::max<std::int64_t>(2, static_cast<std::int64_t>(long_enough_s / pace));
    slowest_seconds({results_[suspect].flow}, messages);
    const auto again = gather_results(wiring_.team(), stream_.senders());
    const FlowResult& now = again[suspect];
    const FlowResult alone{.flow = now.flow,
                           .seconds = now.seconds - results_[suspect].seconds,
                           .messages = now.messages - results_[suspect].messages,
                           .posted = {},
                           .each_s = {}};
    alone_.push_back({.from = flow.from, .to = flow.to, .alone_gb_per_s = alone.gb_per_s(flow)});
  }
}

/// Compares what this lane holds with what its peer posted: empty text where it is right, nothing where it
/// cannot be known.
std::optional<std::string> StreamTrial::check_lane(const Lane& lane, std::size_t place,
                                                   std::int64_t posted) const {
  const Flow& flow = wiring_.flows()[lane.flow];
  if (atomic(flow.message.operation)) return check_counter(wiring_.memory(), lane.offset, posted);
  const auto slots = static_cast<std::int64_t>(wiring_.settings().placement.slots);
  const bool reliable = flow.message.transport == Transport::rc;
  if (!consumes_receive(flow.message.operation)) return check_slots(lane, std::min(slots, posted));
  const std::int64_t arrived = stream_.received(place);
  if (reliable && arrived != posted) return fmt::format("{} messages arrived of {} sent", arrived, posted);
  if (arrived == 0 && posted > 0) return fmt::format("none of {} messages arrived", posted);
  // Receives are posted ahead: which slots the first ones used is known only after a whole turn of all.
  return check_slots(lane, arrived < slots ? 0 : slots);
}

/// The first `slots` slots. A UC write that was lost, in part or whole, leaves what was there and no trace.
std::optional<std::string> StreamTrial::check_slots(const Lane& lane, std::int64_t slots) const {
  const Flow& flow = wiring_.flows()[lane.flow];
  const bool may_be_lost =
      flow.message.transport == Transport::uc && !consumes_receive(flow.message.operation);
  const std::size_t header = flow.message.transport == Transport::ud ? ud_header_bytes : 0;
  const auto bytes = static_cast<std::size_t>(flow.message.bytes);
  std::int64_t untouched = 0, torn = 0;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const std::size_t offset =
        lane.offset + static_cast<std::size_t>(slot) * wiring_.stride_bytes(flow) + header;
    const std::string found = difference(wiring_.memory(), offset, bytes, Wiring::seed(lane));
    if (found.empty()) continue;
    if (!may_be_lost) return fmt::format("slot {}: {}", slot, found);
    if (difference(wiring_.memory(), offset, bytes, Wiring::seed(lane), true).empty()) ++untouched;
    ++torn;
  }
  if (slots > 0 && untouched == slots) return "nothing of what was written arrived";
  if (slots == 0 || torn > 0) return std::nullopt;
  return std::string();
}

void StreamTrial::count_arrivals(const Lane& lane, std::size_t place, std::int64_t posted) {
  const Message& message = wiring_.flows()[lane.flow].message;
  if (message.transport == Transport::rc || !consumes_receive(message.operation)) return;
  sent_here_ += posted;
  arrived_here_ += stream_.received(place);
}

std::vector<std::vector<std::int64_t>> StreamTrial::posted_of_all() {
  std::vector<std::vector<std::int64_t>> posted(wiring_.flows().size());
  for (const FlowResult& result : gather_results(wiring_.team(), stream_.senders()))
    posted[result.flow] = result.posted;
  return posted;
}

core::Verification StreamTrial::check() {
  using Result = core::Verification::Result;
  const auto posted = posted_of_all();
  sent_here_ = arrived_here_ = 0;
  std::size_t checked = 0;
  for (std::size_t place = 0; place < wiring_.lanes().size(); ++place) {
    const Lane& lane = wiring_.lanes()[place];
    const Flow& flow = wiring_.flows()[lane.flow];
    const bool holds_target = wiring_.begins_here(flow) == (flow.message.operation == Operation::read);
    if (!holds_target) continue;
    const std::int64_t sent = posted[lane.flow][lane.index];
    count_arrivals(lane, place, sent);
    const auto wrong = check_lane(lane, place, sent);
    if (!wrong) continue;
    if (!wrong->empty())
      return {Result::wrong,
              fmt::format("{} from rank {} to rank {}, queue pair {}: {}", to_string(flow.message.operation),
                          flow.from, flow.to, lane.index, *wrong)};
    ++checked;
  }
  if (checked == 0) return {};
  return {Result::right, "what arrived since sampling began, against what was sent"};
}

std::vector<core::Metric> StreamTrial::metrics(const core::Measurement&) {
  std::vector<core::Metric> metrics = metrics_of(results_, wiring_.flows());
  for (core::Metric& metric : watch_.metrics(results_)) metrics.push_back(std::move(metric));
  add_cpu(metrics);
  return metrics;
}

void StreamTrial::add_cpu(std::vector<core::Metric>& metrics) {
  const double cpu_s = cpu_.gathered_s(wiring_.team(), !wiring_.lanes().empty());
  const auto metric = team::cpu_metric(cpu_s, bytes_posted(results_, wiring_.flows()));
  if (metric && wiring_.team().rank() == 0) metrics.push_back(*metric);
}

std::vector<core::Fact> StreamTrial::facts() {
  std::vector<core::Fact> facts = conditions_of(wiring_);
  for (core::Fact& fact : watch_.facts()) facts.push_back(std::move(fact));
  if (pairs_apart_) facts.emplace_back(core::names::pairs_apart, "yes");
  facts.emplace_back("cpu_counts", team::cpu_counts);
  if (sent_here_ > 0)
    facts.emplace_back("messages_arrived", fmt::format("{} of {}", arrived_here_, sent_here_));
  return facts;
}

std::vector<core::FlowReport> StreamTrial::flows() {
  std::vector<core::FlowReport> flows = flow_reports(results_, wiring_.flows(), queue_pairs_);
  for (const core::FlowReport& alone : alone_) {
    const auto same = std::ranges::find_if(
        flows, [&](const core::FlowReport& one) { return one.from == alone.from && one.to == alone.to; });
    if (same == flows.end())
      flows.push_back(alone);
    else
      same->alone_gb_per_s = alone.alone_gb_per_s;
  }
  return flows;
}

LoadedTrial::LoadedTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                         Pair ends, int load_percent)
    : StreamTrial(machine, team, settings, schedule_of({{ends}}, Ways::one, settings)),
      load_percent_(load_percent) {}

/// Messages per second with the queue always full; the best of a few runs long enough to trust.
double LoadedTrial::closed_loop_rate() {
  constexpr double long_enough_s = 0.05;
  double best = 0;
  std::int64_t messages = 64;
  for (int good_runs = 0; good_runs < 3;) {
    // Every rank knows the sender's time, so all of them keep step.
    const double seconds = slowest_seconds({0}, messages);
    if (seconds >= long_enough_s) {
      best = std::max(best, static_cast<double>(messages) / seconds);
      ++good_runs;
    } else {
      messages *= static_cast<std::int64_t>(std::clamp(2 * long_enough_s / seconds, 2.0, 16.0));
    }
  }
  return best;
}

core::Timing LoadedTrial::enqueue(std::int64_t iterations) {
  // Not when preparing: there a rank may fail alone, and the others would wait for ever.
  if (rate_per_s_ == 0) {
    rate_per_s_ = closed_loop_rate();
    offered_per_s_ = rate_per_s_ * load_percent_ / 100;
    for (Sender& sender : stream().senders()) sender.pace(1 / offered_per_s_);
  }
  core::Timing timing = StreamTrial::enqueue(iterations);
  if (!stream().senders().empty()) timing.each_s = stream().senders().front().each_s();
  return timing;
}

std::vector<core::Metric> LoadedTrial::metrics(const core::Measurement& measurement) {
  std::vector<core::Metric> metrics = StreamTrial::metrics(measurement);
  metrics.push_back({"closed_loop_message_rate_m_per_s", "M/s", rate_per_s_ * 1e-6});
  metrics.push_back({"offered_message_rate_m_per_s", "M/s", offered_per_s_ * 1e-6});
  return metrics;
}

}  // namespace assay::rdma
