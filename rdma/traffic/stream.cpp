// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
Stream::Stream(Wiring& wiring) : wiring_(wiring), receivers_(wiring.lanes().size()) {
  for (std::size_t place = 0; place < wiring.lanes().size(); ++place) {
    Lane& lane = wiring.lanes()[place];
    const Flow& flow = wiring.flows()[lane.flow];
    poster_of_.emplace_back(0, 0);
    if (wiring.begins_here(flow)) {
      if (senders_.empty() || senders_.back().flow() != lane.flow)
        senders_.emplace_back(lane.flow, flow.probe);
      poster_of_.back() = {senders_.size() - 1, senders_.back().posters().size()};
      senders_.back().posters().emplace_back(wiring, lane, place);
    } else if (consumes_receive(flow.message.operation)) {
      receivers_[place].emplace(wiring, lane, place);
      receives_ = true;
    }
  }
  if (wiring.completions().completion() == Completion::events) wake_up_.emplace(wake_up_period_s);
}

double Stream::run(const std::vector<std::size_t>& flows, std::int64_t messages) {
  failure_.clear();
  active_.clear();
  for (Sender& sender : senders_)
    if (std::ranges::find(flows, sender.flow()) != flows.end()) active_.push_back(&sender);
  wiring_.team().barrier(team::reply_limit_s);
  try {
    do_part(messages);
  } catch (const team::PeerLost& lost) {
    failure_.rethrow_with(lost);
  }
  failure_.rethrow_if_any();
  double slowest = 0;
  for (const Sender* sender : active_) slowest = std::max(slowest, sender->seconds());
  return slowest;
}

void Stream::begin(std::int64_t messages) {
  patience_.begin();
  for (Sender* sender : active_) sender->begin(messages);
}

void Stream::do_part(std::int64_t messages) {
  begin(messages);
  failure_.attempt([&] { send_until_timed(); });
  wait_for_others(true);
  failure_.attempt([&] { drain(); });
  wait_for_others(false);
}

void Stream::send_until_timed() {
  const auto any_untimed = [&] {
    return std::ranges::any_of(active_, [](const Sender* sender) { return !sender->timed(); });
  };
  while (any_untimed()) {
    send_on();
    if (!progress()) rest();
  }
}

void Stream::send_on() {
  for (Sender* sender : active_) sender->post();
}

void Stream::drain() {
  const auto any_draining = [&] {
    bool any = false;
    for (Sender* sender : active_) any |= sender->draining();
    return any;
  };
  patience_.begin();
  while (any_draining())
    if (!progress()) rest();
}

/// Until every rank has come here. Meanwhile this rank sends on (so that slower flows keep their rivals) and
/// receives.
void Stream::wait_for_others(bool sending) {
  team::Team& team = wiring_.team();
  const double arrived = steady_seconds();
  const bool busy = receives_ || (sending && !active_.empty());
  constexpr unsigned between_looks = 64;
  team.arrive();
  bool idle =
      true;  // nothing moved and no event came: a look at the team, which costs system calls, delays nothing
  for (unsigned turn = 0;; ++turn) {
    bool moved = false;
    failure_.attempt([&] {
      if (sending && turn > 0) send_on();
      moved = progress();
    });
    if (idle || turn % between_looks == 0) {
      if (team.all_arrived()) break;
      const double limit = failure_ ? others_limit_after_failure_s : others_limit_s;
      if (steady_seconds() - arrived > limit) team.barrier_timed_out(limit);
    }
    idle = !moved;
    if (moved) continue;
    if (failure_ || !busy)
      team.rest(team_look_s);
    else
      failure_.attempt([&] { idle = !wiring_.completions().wait(); });
  }
  // The last messages may have come between the last look at the queue and the others' arrival.
  failure_.attempt([&] {
    while (progress()) continue;
  });
}

bool Stream::progress() {
  const auto completions = wiring_.completions().poll();
  for (const ibv_wc& completion : completions) complete(completion);
  if (!completions.empty()) patience_.progressed();
  return !completions.empty();
}

void Stream::complete(const ibv_wc& completion) {
  const Tag tag = Tag::of(completion.wr_id);
  if (completion.status != IBV_WC_SUCCESS) fail(completion, wiring_.lanes()[tag.lane]);
  if (tag.receive) return receivers_[tag.lane]->completed();
  const auto [sender, poster] = poster_of_[tag.lane];
  senders_[sender].completed(poster, static_cast<int>(tag.messages));
}

void Stream::fail(const ibv_wc& completion, const Lane& lane) const {
  const Flow& flow = wiring_.flows()[lane.flow];
  throw_completion(completion, fmt::format("{} from rank {} to rank {} (queue pair {}{})",
                                           to_string(flow.message.operation), flow.from, flow.to,
                                           lane.qp.number(), wiring_.after_event()));
}

void Stream::rest() {
  const bool sleeps = wiring_.completions().completion() == Completion::events;
  wiring_.completions().wait();
  if (!patience_.ended(sleeps)) return;
  std::string out;
  for (const Sender* sender : active_) out += (out.empty() ? "" : ", ") + sender->what_is_out();
  throw core::Error(core::ErrorKind::verbs,
                    fmt::format("no completion for {} s: {}{}", stall_limit_s, out, wiring_.after_event()));
}

void Stream::restart() {
  for (Sender& sender : senders_) sender.restart();
  for (auto& receiver : receivers_)
    if (receiver) receiver->restart();
}

}  // namespace assay::rdma
