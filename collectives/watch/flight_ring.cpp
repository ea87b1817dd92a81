// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/flight_ring.hpp"

#include <algorithm>
#include <optional>

namespace assay::collectives {
namespace {

// Stores of an entry release and loads of it acquire, so that who sees any of a change sees the version it
// began with: a sequence lock without fences, which ThreadSanitizer does not know.
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto release = std::memory_order_release;
constexpr auto acquire = std::memory_order_acquire;

}  // namespace

/// Marks a slot as being written, as a sequence lock does.
class FlightRing::Writing {
 public:
  explicit Writing(Slot& slot) : slot_(slot) {
    slot_.version.store(slot_.version.load(relaxed) + 1, relaxed);
  }
  ~Writing() { slot_.version.store(slot_.version.load(relaxed) + 1, release); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  Slot& slot_;
};

void FlightRing::restart() {
  sequence_ = 0;
  for (Slot& slot : slots_) {
    const Writing writing(slot);
    slot.sequence.store(0, release);
  }
}

void FlightRing::begins(Operation operation, std::int64_t bytes, double now_s) {
  ++sequence_;
  Slot& slot = current();
  const Writing writing(slot);
  slot.sequence.store(sequence_, release);
  slot.operation.store(static_cast<int>(operation), release);
  slot.bytes.store(bytes, release);
  slot.state.store(static_cast<int>(FlightState::computes), release);
  slot.began_s.store(now_s, release);
  slot.step.store(0, release);
  slot.awaited_count.store(0, release);
}

void FlightRing::waits(std::span<const int> ranks) {
  Slot& slot = current();
  const Writing writing(slot);
  const std::size_t count = std::min(ranks.size(), most_awaited);
  for (std::size_t i = 0; i < count; ++i) slot.awaited[i].store(ranks[i], release);
  slot.awaited_count.store(static_cast<int>(count), release);
  slot.step.store(slot.step.load(relaxed) + 1, release);
  slot.state.store(static_cast<int>(FlightState::waits), release);
}

void FlightRing::set_state(FlightState state) {
  Slot& slot = current();
  const Writing writing(slot);
  slot.state.store(static_cast<int>(state), release);
}

void FlightRing::moves() { set_state(FlightState::computes); }
void FlightRing::done() { set_state(FlightState::done); }

std::vector<FlightEntry> FlightRing::latest() const {
  std::vector<FlightEntry> entries;
  for (const Slot& slot : slots_) {
    const std::uint32_t before = slot.version.load(acquire);
    FlightEntry entry{.sequence = slot.sequence.load(acquire),
                      .operation = static_cast<Operation>(slot.operation.load(acquire)),
                      .bytes = slot.bytes.load(acquire),
                      .state = static_cast<FlightState>(slot.state.load(acquire)),
                      .began_s = slot.began_s.load(acquire),
                      .step = slot.step.load(acquire)};
    for (int i = 0; i < slot.awaited_count.load(acquire); ++i)
      entry.awaited.push_back(slot.awaited[static_cast<std::size_t>(i)].load(acquire));
    const bool whole = before % 2 == 0 && slot.version.load(relaxed) == before;
    if (whole && entry.sequence > 0) entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &FlightEntry::sequence);
  return entries;
}

}  // namespace assay::collectives
