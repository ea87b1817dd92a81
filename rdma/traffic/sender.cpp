// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/sender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rdma/traffic/patience.hpp"

namespace assay::rdma {

void Sender::begin(std::int64_t messages) {
  wanted_ = messages;
  completed_ = counted_from_ = 0;
  ended_ = false;
  started_.reset();
  seconds_ = 0;
  if (interval_s_ > 0) {
    to_post_ = messages;
    started_ = steady_seconds();
    each_s_.clear();
  } else if (messages == 1) {
    // Alone: from posting to completion. More are timed between completions, once the wire is busy.
    to_post_ = 1;
    started_ = steady_seconds();
  } else {
    to_post_ = messages + posters_.front().moderation();
  }
}

void Sender::post(bool on) {
  if (probe_) {
    if (posters_.front().outstanding() > 0) return;
    started_ = steady_seconds();
    posters_.front().post(1);
    return;
  }
  if (interval_s_ > 0) return post_due();
  for (std::size_t full = 0; full < posters_.size() && (on || to_post_ > 0);) {
    Poster& poster = posters_[next_];
    if (++next_ == posters_.size()) next_ = 0;
    constexpr std::int64_t no_end = std::numeric_limits<int>::max();
    const int posted = poster.post(static_cast<int>(on ? no_end : std::min(to_post_, no_end)));
    full = posted == 0 ? full + 1 : 0;
    to_post_ -= posted;
  }
  if (!on && to_post_ <= 0) close_batches();
}

/// Message i is due at the start plus i intervals: late ones are posted at once, none is left out.
void Sender::post_due() {
  const double now = steady_seconds();
  while (to_post_ > 0) {
    const std::int64_t index = wanted_ - to_post_;
    if (*started_ + static_cast<double>(index) * interval_s_ > now || posters_.front().post(1) == 0) return;
    --to_post_;
  }
}

void Sender::close_batches() {
  for (Poster& poster : posters_)
    if (poster.batch_open() && poster.room() > 0) poster.close_batch();
}

void Sender::completed(std::size_t poster, int messages) {
  posters_[poster].completed(messages);
  if (probe_) {
    each_s_.push_back(steady_seconds() - *started_);
    return;
  }
  if (ended_) return;
  if (interval_s_ > 0)
    count_due(messages);
  else
    count(messages);
}

void Sender::count_due(std::int64_t messages) {
  const double now = steady_seconds();
  for (; messages > 0; --messages, ++completed_)
    each_s_.push_back(now - (*started_ + static_cast<double>(completed_) * interval_s_));
  if (completed_ < wanted_) return;
  ended_ = true;
  seconds_ = now - *started_;
  total_seconds_ += seconds_;
  total_messages_ += wanted_;
}

void Sender::count(std::int64_t messages) {
  completed_ += messages;
  if (!started_) {
    started_ = steady_seconds();
    counted_from_ = completed_;
    return;
  }
  const std::int64_t counted = completed_ - counted_from_;
  if (counted < wanted_) return;
  ended_ = true;
  seconds_ = (steady_seconds() - *started_) * static_cast<double>(wanted_) / static_cast<double>(counted);
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
