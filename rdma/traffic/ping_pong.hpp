// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One message at a time between the two ends of a flow. Operations that the peer notices are answered by the
// same and count half of the round trip; read and atomics, which the peer does not notice, count all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rdma/traffic/kept_failure.hpp"
#include "rdma/traffic/patience.hpp"
#include "rdma/traffic/receiver.hpp"
#include "rdma/traffic/wiring/wiring.hpp"
#include "rdma/verbs/wake_up.hpp"

namespace assay::rdma {

/// The processor's time for one message at the flow's first rank, seconds: medians.
struct HostTime {
  double posting_s = 0;  // building the work request and handing it to the device
  double taking_s = 0;   // the look that finds the answer, and what follows from it
};

class PingPong {
 public:
  /// For the wiring's only flow, with ping_pong_slots slots and one queue pair.
  explicit PingPong(Wiring& wiring);

  /// Every rank of the team calls it; `exchanges` of them. Returns the latency of each, in seconds, at the
  /// flow's first rank and nothing at the others. Throws Error(verbs); other ranks are not left waiting.
  std::vector<double> run(std::int64_t exchanges);

  /// Exchanges as run() does, with the clock read around posting and before each look for the answer: those
  /// readings would lengthen latencies. Nothing at other ranks than the flow's first.
  std::optional<HostTime> host_time(std::int64_t exchanges);

  /// Sources are filled and targets hold the complement, so that what is checked later was sent since.
  void prepare_content();
  /// Empty where what arrived is what was sent; else the first difference.
  std::string check() const;
  std::int64_t exchanges() const { return exchanges_; }
  /// The device promises that the last byte of a write arrives last: "yes" | "no", empty where none polls
  /// it.
  std::string last_byte_in_order() const;

 private:
  enum class Role { first, second, bystander };

  enum class Stamps { arrivals, every_step };  // one an exchange, or three: posted, looked, arrived

  std::vector<double> between_stamps(std::int64_t exchanges, Stamps kept);
  double measure(std::int64_t exchanges, Stamps kept, std::vector<std::uint64_t>& stamps);
  bool answer();
  void wait_for_others();
  void post();
  void await_arrival();
  std::uint64_t await_arrival_stamped();
  bool arrived();
  bool poll();
  void rest(const char* waiting_for);
  std::uint64_t seed(bool sent_by_first) const;

  Wiring& wiring_;
  Role role_ = Role::bystander;
  Lane* lane_ = nullptr;
  Message message_;
  bool polls_memory_ = false;  // a write completes nothing at the peer: its last byte is watched
  std::size_t stride_bytes_ = 0;
  volatile std::byte* watched_ = nullptr;
  std::byte* stamped_ = nullptr;
  std::uint8_t sequence_sent_ = 0, sequence_seen_ = 0;
  std::int64_t arrivals_ = 0, completions_ = 0;  // not taken yet
  unsigned watches_ = 0;
  int outstanding_ = 0, unsignalled_ = 0;
  std::int64_t exchanges_ = 0;
  std::uint64_t counter_ = 0;
  std::optional<Receiver> receiver_;  // into the slot for what arrives
  ibv_sge piece_{};
  ibv_send_wr request_{};
  Patience patience_;
  std::optional<WakeUp> wake_up_;
  KeptFailure failure_;
};

}  // namespace assay::rdma
