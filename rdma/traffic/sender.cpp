// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/sender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay::rdma {
namespace {

/// Messages that each queue pair keeps in flight in a run of `messages`: tx_depth. Only on slow links, where
/// a run is few messages, less: then as many as the run, and no less than the largest product of bandwidth
/// and delay that is met (800 Gb/s, 80 us).
int enough_in_flight(const Poster& poster, std::size_t qps, std::int64_t messages) {
  constexpr std::int64_t enough_bytes = 8 << 20;
  const auto share = static_cast<std::int64_t>(qps);
  const std::int64_t enough = std::max(messages, (enough_bytes + poster.bytes() - 1) / poster.bytes());
  const std::int64_t each = std::max<std::int64_t>((enough + share - 1) / share, poster.moderation());
  return static_cast<int>(std::min<std::int64_t>(each, poster.tx_depth()));
}

}  // namespace

void Sender::begin(std::int64_t messages) {
  wanted_ = to_post_ = messages;
  completed_ = counted_from_ = 0;
  ended_ = false;
  started_.reset();
  seconds_ = 0;
  // The very first message goes alone: it is what a cold path costs.
  alone_ = std::exchange(cold_, false) && messages == 1 && interval_s_ == 0;
  in_flight_ = posters_.empty() ? 1 : enough_in_flight(posters_.front(), posters_.size(), messages);
  if (interval_s_ > 0 || alone_) started_ = now_s_();
  if (interval_s_ > 0) each_s_.clear();
}

void Sender::post() {
  if (probe_) {
    if (posters_.front().outstanding() > 0) return;
    started_ = now_s_();
    posters_.front().post(1);
    return;
  }
  if (interval_s_ > 0) return post_due();
  if (alone_ && !ended_) return post_alone();
  for (std::size_t full = 0; full < posters_.size();) {
    Poster& poster = posters_[next_];
    if (++next_ == posters_.size()) next_ = 0;
    const int missing = in_flight_ - poster.outstanding();
    full = missing > 0 && poster.post(missing) > 0 ? 0 : full + 1;
  }
  if (completed_ != counted_from_ && !ended_) keep_time();
}

void Sender::post_alone() {
  if (to_post_ == 0) return;
  to_post_ = 0;
  posters_.front().close_batch();
}

/// Message i is due at the start plus i intervals: late ones are posted at once, none is left out.
void Sender::post_due() {
  const double now = now_s_();
  while (to_post_ > 0) {
    const std::int64_t index = wanted_ - to_post_;
    if (*started_ + static_cast<double>(index) * interval_s_ > now || posters_.front().post(1) == 0) return;
    --to_post_;
  }
}

void Sender::close_batches() {
  for (Poster& poster : posters_)
    if (poster.batch_open() && poster.module() > 0) poster.close_batch();
}

void Sender::completed(std::size_t poster, int messages) {
  posters_[poster].completed(messages);
  if (probe_) {
    each_s_.push_back(now_s_() - *started_);
    ended_ = true;
    return;
  }
  if (ended_) return;
  if (interval_s_ > 0) return count_due(messages);
  completed_ += messages;
  if (alone_) end(now_s_(), completed_);
}

void Sender::count_due(std::int64_t messages) {
  const double now = now_s_();
  for (; messages > 0; --messages, ++completed_)
    each_s_.push_back(now - (*started_ + static_cast<double>(completed_) * interval_s_));
  if (completed_ >= wanted_) end(now, wanted_);
}

/// Called when messages have completed and the queue pairs have just been filled again. Time runs between two
/// such moments, for the messages that completed between them: as many were posted, so the posting of none
/// and the completion of none is left out.
void Sender::keep_time() {
  if (!started_) {
    started_ = now_s_();
    counted_from_ = completed_;
  } else if (completed_ - counted_from_ >= wanted_) {
    end(now_s_(), completed_ - counted_from_);
  }
}

void Sender::end(double now, std::int64_t counted) {
  ended_ = true;
  seconds_ = (now - *started_) * static_cast<double>(wanted_) / static_cast<double>(counted);
  total_seconds_ += seconds_;
  total_messages_ += wanted_;
}

bool Sender::draining() {
  if (!probe_) close_batches();
  return std::ranges::any_of(posters_, [](const Poster& poster) { return poster.outstanding() > 0; });
}

std::vector<std::int64_t> Sender::posted() const {
  std::vector<std::int64_t> counts;
  for (const Poster& poster : posters_) counts.push_back(poster.posted());
  return counts;
}

void Sender::restart() {
  for (Poster& poster : posters_) poster.restart();
  each_s_.clear();
  total_seconds_ = 0;
  total_messages_ = 0;
}

std::string Sender::what_is_out() const {
  int out = 0;
  for (const Poster& poster : posters_) out += poster.outstanding();
  return fmt::format("{} messages are out on {} queue pair(s)", out, posters_.size());
}

}  // namespace assay::rdma
