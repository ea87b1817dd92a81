// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/arrival_rates.hpp"

#include <algorithm>
#include <cstring>

namespace assay::team {
namespace {

constexpr double forget_every_s = 0.1;  // going through the table costs more than a caller does

}  // namespace

ArrivalRates::Key ArrivalRates::key_of(const SocketAddress& from) {
  Key key{};
  if (from.family() == AF_INET6) {
    std::memcpy(key.data(), &reinterpret_cast<const sockaddr_in6&>(from.storage).sin6_addr, key.size());
  } else if (from.family() == AF_INET) {
    key[10] = key[11] = 0xff;
    std::memcpy(key.data() + 12, &reinterpret_cast<const sockaddr_in&>(from.storage).sin_addr, 4);
  }
  return key;
}

void ArrivalRates::refill(Bucket& bucket, double per_s, double burst, double now_s) {
  bucket.tokens = std::min(burst, bucket.tokens + per_s * std::max(0.0, now_s - bucket.at_s));
  bucket.at_s = now_s;
}

bool ArrivalRates::admit(const SocketAddress& from, double now_s) {
  Bucket& one = bucket_of(key_of(from), now_s);
  refill(one, limits_.per_s, limits_.burst, now_s);
  refill(all_, limits_.all_per_s, limits_.all_burst, now_s);
  if (one.tokens < 1 || all_.tokens < 1) return false;
  one.tokens -= 1;
  all_.tokens -= 1;
  return true;
}

void ArrivalRates::give_back(const SocketAddress& from) {
  all_.tokens = std::min(limits_.all_burst, all_.tokens + 1);
  const auto found = known_.find(key_of(from));
  Bucket& one = found == known_.end() ? others_ : found->second;
  one.tokens = std::min(limits_.burst, one.tokens + 1);
}

ArrivalRates::Bucket& ArrivalRates::bucket_of(const Key& key, double now_s) {
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= limits_.most_addresses) forget_quiet_ones(now_s);
  if (known_.size() >= limits_.most_addresses) return others_;
  return known_.emplace(key, Bucket{limits_.burst, now_s}).first->second;
}

/// A full bucket says no more than none does.
void ArrivalRates::forget_quiet_ones(double now_s) {
  if (now_s - forgot_at_s_ < forget_every_s) return;
  forgot_at_s_ = now_s;
  for (auto& [key, bucket] : known_) refill(bucket, limits_.per_s, limits_.burst, now_s);
  std::erase_if(known_, [&](const auto& entry) { return entry.second.tokens >= limits_.burst; });
}

}  // namespace assay::team
