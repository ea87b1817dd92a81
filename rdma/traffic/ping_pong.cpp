// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/ping_pong.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/team/agree.hpp"
#include "rdma/traffic/content.hpp"
#include "rdma/traffic/poster.hpp"
#include "rdma/traffic/tick_clock.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

/// Seconds between neighbouring stamps, of which the steady clock saw `seconds` in all.
std::vector<double> intervals(const std::vector<std::uint64_t>& stamps, double seconds) {
  std::vector<double> each;
  each.reserve(stamps.size());
  const auto all = static_cast<double>(stamps.back() - stamps.front());
  for (std::size_t i = 1; i < stamps.size(); ++i)
    each.push_back(static_cast<double>(stamps[i] - stamps[i - 1]) / all * seconds);
  return each;
}

}  // namespace

PingPong::PingPong(Wiring& wiring) : wiring_(wiring), message_(wiring.flows().front().message) {
  if (wiring.lanes().empty()) return;
  const Flow& flow = wiring.flows().front();
  lane_ = &wiring.lanes().front();
  role_ = wiring.begins_here(flow) ? Role::first : Role::second;
  stride_bytes_ = wiring.stride_bytes(flow);
  polls_memory_ = message_.operation == Operation::write;
  std::byte* area = wiring.memory().address() + lane_->offset;
  if (polls_memory_) {
    stamped_ = area + message_.bytes - 1;
    watched_ = area + stride_bytes_ + message_.bytes - 1;
  }
  piece_ = {reinterpret_cast<std::uint64_t>(area), static_cast<std::uint32_t>(message_.bytes),
            wiring.local_key()};
  request_.sg_list = &piece_;
  request_.num_sge = 1;
  request_.send_flags = inline_flag(message_, flow.posting);
  aim(request_, message_, *lane_, fetches(message_.operation) ? 0 : stride_bytes_);
  if (fetches(message_.operation)) piece_.addr += stride_bytes_;  // what comes back is what arrives
  if (consumes_receive(message_.operation)) receiver_.emplace(wiring, *lane_, 0, 1, 1);
  if (wiring.completions().completion() == Completion::events) wake_up_.emplace(wake_up_period_s);
}

std::vector<double> PingPong::run(std::int64_t exchanges) {
  std::vector<double> each = between_stamps(exchanges, Stamps::arrivals);
  if (!fetches(message_.operation))
    for (double& seconds : each) seconds /= 2;
  return each;
}

std::optional<HostTime> PingPong::host_time(std::int64_t exchanges) {
  const std::vector<double> each = between_stamps(exchanges, Stamps::every_step);
  if (each.empty()) return std::nullopt;
  std::vector<double> posting, taking;
  for (std::size_t i = 0; i + 2 < each.size(); i += 3)
    posting.push_back(each[i]), taking.push_back(each[i + 2]);
  return HostTime{.posting_s = core::quantile_of(posting, 0.5), .taking_s = core::quantile_of(taking, 0.5)};
}

std::vector<double> PingPong::between_stamps(std::int64_t exchanges, Stamps kept) {
  team::Team& team = wiring_.team();
  team.barrier(team::reply_limit_s);
  failure_.clear();
  patience_.begin();
  std::vector<std::uint64_t> stamps;
  double seconds = 0;
  try {
    if (role_ == Role::first) failure_.attempt([&] { seconds = measure(exchanges, kept, stamps); });
    team.arrive();
    wait_for_others();
  } catch (const team::PeerLost& lost) {
    failure_.rethrow_with(lost);
  }
  failure_.rethrow_if_any();
  if (stamps.empty()) return {};
  return intervals(stamps, seconds);
}

double PingPong::measure(std::int64_t exchanges, Stamps kept, std::vector<std::uint64_t>& stamps) {
  stamps.reserve(static_cast<std::size_t>(exchanges) * (kept == Stamps::arrivals ? 1 : 3) + 1);
  const double start = traffic_seconds();
  stamps.push_back(ticks());
  for (std::int64_t i = 0; i < exchanges; ++i) {
    post();
    if (kept == Stamps::arrivals)
      await_arrival();
    else
      stamps.push_back(ticks()), stamps.push_back(await_arrival_stamped());
    stamps.push_back(ticks());
  }
  exchanges_ += exchanges;
  return traffic_seconds() - start;
}

/// The second rank answers until the first has arrived; others only wait.
void PingPong::wait_for_others() {
  team::Team& team = wiring_.team();
  constexpr unsigned between_looks = 1U << 14U;
  double alone_since = steady_seconds();
  bool answered = false;  // since the last look
  for (unsigned idle = 0;;) {
    const bool answers = role_ == Role::second && !fetches(message_.operation) && !failure_;
    bool now = false;
    if (answers) failure_.attempt([&] { now = answer(); });
    answered |= now;
    if (now) continue;
    const bool sleeps = !answers || wiring_.completions().completion() == Completion::events;
    if (sleeps || ++idle % between_looks == 0) {
      if (team.all_arrived()) return;
      if (std::exchange(answered, false)) alone_since = steady_seconds();
      const double limit = failure_ ? others_limit_after_failure_s : others_limit_s;
      if (steady_seconds() - alone_since > limit) team.barrier_timed_out(limit);
    }
    if (!answers)
      team.rest(team_look_s);
    else
      wiring_.completions().wait();
  }
}

bool PingPong::answer() {
  if (!arrived()) return false;
  post();
  return true;
}

/// Something came for this rank that it has not taken yet.
bool PingPong::arrived() {
  if (polls_memory_) {
    const auto expected = static_cast<std::uint8_t>(sequence_seen_ + 1);
    if (std::to_integer<std::uint8_t>(*watched_) != expected) {
      // A failing peer or link shows in the completion queue only.
      constexpr unsigned between_polls = 256;
      if (++watches_ % between_polls == 0 && outstanding_ > 0) poll();
      return false;
    }
    sequence_seen_ = expected;
    patience_.progressed();
    return true;
  }
  std::int64_t& waiting = consumes_receive(message_.operation) ? arrivals_ : completions_;
  if (waiting == 0) poll();
  if (waiting == 0) return false;
  --waiting;
  if (receiver_) receiver_->completed();
  return true;
}

void PingPong::await_arrival() {
  while (!arrived()) rest("an answer");
}

/// When the look that found it began.
std::uint64_t PingPong::await_arrival_stamped() {
  for (;;) {
    const std::uint64_t looked = ticks();
    if (arrived()) return looked;
    rest("an answer");
  }
}

void PingPong::post() {
  const int depth = wiring_.flows().front().posting.tx_depth;
  while (outstanding_ >= depth)
    if (!poll()) rest("the completion of a message");
  if (polls_memory_) *stamped_ = static_cast<std::byte>(++sequence_sent_);
  if (message_.operation == Operation::compare_swap) {
    request_.wr.atomic.compare_add = counter_;
    request_.wr.atomic.swap = ++counter_;
  }
  ++unsignalled_;
  const bool signalled = fetches(message_.operation) || unsignalled_ >= std::max(1, depth / 2);
  request_.send_flags =
      (request_.send_flags & ~unsigned{IBV_SEND_SIGNALED}) | (signalled ? unsigned{IBV_SEND_SIGNALED} : 0U);
  if (signalled) {
    request_.wr_id = Tag{0, static_cast<std::uint32_t>(unsignalled_)}.id();
    unsignalled_ = 0;
  }
  ibv_send_wr* refused = nullptr;
  check_verbs(ibv_post_send(lane_->qp.get(), &request_, &refused), "post a work request");
  ++outstanding_;
}

bool PingPong::poll() {
  const auto found = wiring_.completions().poll();
  for (const ibv_wc& completion : found) {
    const Tag tag = Tag::of(completion.wr_id);
    if (completion.status != IBV_WC_SUCCESS) {
      throw_completion(completion,
                       fmt::format("{} of rank {} (queue pair {}{})", to_string(message_.operation),
                                   wiring_.team().rank(), lane_->qp.number(), wiring_.after_event()));
    }
    if (tag.receive) {
      ++arrivals_;
    } else {
      outstanding_ -= static_cast<int>(tag.messages);
      ++completions_;
    }
  }
  if (!found.empty()) patience_.progressed();
  return !found.empty();
}

void PingPong::rest(const char* waiting_for) {
  const bool sleeps = wiring_.completions().completion() == Completion::events;
  if (sleeps) wiring_.completions().wait();
  if (!patience_.ended(sleeps)) return;
  throw core::Error(core::ErrorKind::verbs, fmt::format("{} did not come within {} s{}", waiting_for,
                                                        stall_limit_s, wiring_.after_event()));
}

std::uint64_t PingPong::seed(bool sent_by_first) const {
  return Wiring::seed(*lane_) + (sent_by_first ? 0 : 7);
}

void PingPong::prepare_content() {
  if (lane_ == nullptr || atomic(message_.operation)) return;
  const auto bytes = static_cast<std::size_t>(message_.bytes);
  fill(wiring_.memory(), lane_->offset, bytes, seed(role_ == Role::first));
  if (!polls_memory_ || message_.bytes > 1)
    fill(wiring_.memory(), lane_->offset + stride_bytes_, bytes - (polls_memory_ ? 1 : 0),
         seed(role_ != Role::first), true);
}

std::string PingPong::check() const {
  const bool nothing_arrives = role_ == Role::second && fetches(message_.operation);
  if (lane_ == nullptr || (nothing_arrives && !atomic(message_.operation))) return {};
  const std::size_t target = lane_->offset + stride_bytes_;
  if (atomic(message_.operation)) {
    if (role_ != Role::first || exchanges_ == 0) return {};
    std::array<std::byte, atomic_bytes> last{};
    wiring_.memory().read(target, last);
    const auto value = std::bit_cast<std::uint64_t>(last);
    const auto expected = static_cast<std::uint64_t>(exchanges_ - 1);
    return value == expected
               ? std::string()
               : fmt::format("the counter held {} before the last atomic, expected {}", value, expected);
  }
  const std::size_t header = message_.transport == Transport::ud ? ud_header_bytes : 0;
  const auto bytes = static_cast<std::size_t>(message_.bytes) - (polls_memory_ ? 1 : 0);
  return difference(wiring_.memory(), target + header, bytes, seed(role_ != Role::first));
}

std::string PingPong::last_byte_in_order() const {
  if (!polls_memory_ || lane_ == nullptr) return {};
  return ibv_query_qp_data_in_order(lane_->qp.get(), IBV_WR_RDMA_WRITE, 0) != 0 ? "yes" : "no";
}

}  // namespace assay::rdma
