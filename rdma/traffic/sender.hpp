// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One flow that begins at this rank: spreads messages over its queue pairs and times them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rdma/traffic/poster.hpp"
#include "rdma/traffic/tick_clock.hpp"

namespace assay::rdma {

class Sender {
 public:
  using Seconds = double (*)();

  Sender(std::size_t flow, bool probe, Seconds now_s = traffic_seconds)
      : flow_(flow), probe_(probe), now_s_(now_s) {}

  std::size_t flow() const { return flow_; }
  std::vector<Poster>& posters() { return posters_; }

  /// From now on one message is due every `interval_s` (open loop), whether or not earlier ones have
  /// completed, and each is timed from when it was due. Needs one completion a message and one queue pair.
  void pace(double interval_s) { interval_s_ = interval_s; }

  /// The next run times `messages`.
  void begin(std::int64_t messages);
  /// Posts as much as is to be in flight, timed or not: a flow is timed while its queue pairs are kept full.
  /// Throws Error(verbs).
  void post();
  void completed(std::size_t poster, int messages);
  /// True while messages of this run are not accounted for; posts what makes them complete.
  bool draining();

  bool probe() const { return probe_; }
  /// A probe is timed once one of its messages is: without any, a run says nothing of it.
  bool timed() const { return ended_; }
  /// Seconds of the last run, for all its messages.
  double seconds() const { return seconds_; }
  /// Seconds of single messages: a probe's from posting to completion since restart(), a paced flow's from
  /// due time to completion in the last run.
  const std::vector<double>& each_s() const { return each_s_; }
  /// Seconds and messages of all runs since restart().
  double total_seconds() const { return total_seconds_; }
  std::int64_t total_messages() const { return total_messages_; }
  /// Messages posted by each queue pair since restart().
  std::vector<std::int64_t> posted() const;
  void restart();
  /// "128 messages are out on 4 queue pairs"
  std::string what_is_out() const;

 private:
  void post_due();
  void post_alone();
  void keep_time();
  void end(double now, std::int64_t counted);
  void count_due(std::int64_t messages);
  void close_batches();

  std::size_t flow_;
  bool probe_;
  Seconds now_s_;
  std::vector<Poster> posters_;
  std::size_t next_ = 0;  // whose turn it is
  int in_flight_ = 1;     // messages of each queue pair
  bool cold_ = true, alone_ = false;
  std::int64_t wanted_ = 0, to_post_ = 0, completed_ = 0, counted_from_ = 0;
  std::optional<double> started_;
  bool ended_ = false;
  double seconds_ = 0, total_seconds_ = 0;
  std::int64_t total_messages_ = 0;
  double interval_s_ = 0;  // 0: not paced
  std::vector<double> each_s_;
};

}  // namespace assay::rdma
