// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often callers may come, from one address and in all: token buckets in a table of bounded size. A caller
// that proves the key gets its token back, so members who call again and again are never too many.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "harness/team/wire/address.hpp"

namespace assay::team {

struct ArrivalLimits {
  double per_s = 500;       // of one address: fewer than places come free a second (reception.hpp)
  double burst = 200;       // of one address that was quiet: fewer than there are places
  double all_per_s = 4000;  // of all addresses together
  double all_burst = 4096;
  std::size_t most_addresses = 1024;  // known at a time; the others share one bucket
};

class ArrivalRates {
 public:
  explicit ArrivalRates(ArrivalLimits limits)
      : limits_(limits), all_{limits.all_burst}, others_{limits.burst} {}

  /// Whether a caller from there may come in at `now_s` (of a clock that never goes back).
  bool admit(const SocketAddress& from, double now_s);
  /// The caller proved the key.
  void give_back(const SocketAddress& from);
  std::size_t addresses() const { return known_.size(); }

 private:
  /// IPv4 also where IPv6 carries it; a port does not count.
  using Key = std::array<std::uint8_t, 16>;
  struct Bucket {
    double tokens = 0;
    double at_s = 0;  // when the tokens were counted
  };
  static Key key_of(const SocketAddress& from);
  static void refill(Bucket& bucket, double per_s, double burst, double now_s);
  Bucket& bucket_of(const Key& key, double now_s);
  void forget_quiet_ones(double now_s);

  ArrivalLimits limits_;
  Bucket all_, others_;
  std::map<Key, Bucket> known_;
  double forgot_at_s_ = 0;
};

}  // namespace assay::team
