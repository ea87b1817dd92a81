// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/flight_ring.hpp"

#include <algorithm>
#include <optional>

namespace assay::collectives {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

/// Marks a slot as being written, as a sequence lock does.
class FlightRing::Writing {
 public:
  explicit Writing(Slot& slot) : slot_(slot) {
    slot_.version.store(slot_.version.load(relaxed) + 1, relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }
  ~Writing() { slot_.version.store(slot_.version.load(relaxed) + 1, std::memory_order_release); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  Slot& slot_;
};

void FlightRing::restart() {
  sequence_ = 0;
  for (Slot& slot : slots_) {
    const Writing writing(slot);
    slot.sequence.store(0, relaxed);
  }
}

void FlightRing::begins(Operation operation, std::int64_t bytes, double now_s) {
  ++sequence_;
  Slot& slot = current();
  const Writing writing(slot);
  slot.sequence.store(sequence_, relaxed);
  slot.operation.store(static_cast<int>(operation), relaxed);
  slot.bytes.store(bytes, relaxed);
  slot.state.store(static_cast<int>(FlightState::computes), relaxed);
  slot.began_s.store(now_s, relaxed);
  slot.step.store(0, relaxed);
  slot.awaited_count.store(0, relaxed);
}

void FlightRing::waits(std::span<const int> ranks) {
  Slot& slot = current();
  const Writing writing(slot);
  const std::size_t count = std::min(ranks.size(), most_awaited);
  for (std::size_t i = 0; i < count; ++i) slot.awaited[i].store(ranks[i], relaxed);
  slot.awaited_count.store(static_cast<int>(count), relaxed);
  slot.step.store(slot.step.load(relaxed) + 1, relaxed);
  slot.state.store(static_cast<int>(FlightState::waits), relaxed);
}

void FlightRing::set_state(FlightState state) {
  Slot& slot = current();
  const Writing writing(slot);
  slot.state.store(static_cast<int>(state), relaxed);
}

void FlightRing::moves() { set_state(FlightState::computes); }
void FlightRing::done() { set_state(FlightState::done); }

std::vector<FlightEntry> FlightRing::latest() const {
  std::vector<FlightEntry> entries;
  for (const Slot& slot : slots_) {
    const std::uint32_t before = slot.version.load(std::memory_order_acquire);
    FlightEntry entry{.sequence = slot.sequence.load(relaxed),
                      .operation = static_cast<Operation>(slot.operation.load(relaxed)),
                      .bytes = slot.bytes.load(relaxed),
                      .state = static_cast<FlightState>(slot.state.load(relaxed)),
                      .began_s = slot.began_s.load(relaxed),
                      .step = slot.step.load(relaxed)};
    for (int i = 0; i < slot.awaited_count.load(relaxed); ++i)
      entry.awaited.push_back(slot.awaited[static_cast<std::size_t>(i)].load(relaxed));
    std::atomic_thread_fence(std::memory_order_acquire);
    const bool whole = before % 2 == 0 && slot.version.load(relaxed) == before;
    if (whole && entry.sequence > 0) entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &FlightEntry::sequence);
  return entries;
}

}  // namespace assay::collectives
