// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/classify.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace assay::link {

namespace {

// The rate InfiniBand allows a link.
constexpr double allowed_error_rate = 1e-12;

std::uint64_t moved(const CounterDelta& delta) { return delta.moved.value_or(0); }

bool counts_symbol_errors(const CounterDelta& delta) {
  return delta.counter.name.find("symbol_err") != std::string::npos;
}

bool traffic(const CounterDelta& delta) {
  return delta.fact->unit == "packets" || delta.fact->unit == "bytes" || delta.fact->unit == "4 bytes" ||
         delta.fact->unit == "messages" || delta.fact->unit == "requests" ||
         delta.counter.name == "rx_bits_phy";
}

/// The movement of the same port's counter of this name.
std::uint64_t moved_beside(const std::vector<CounterDelta>& deltas, const CounterDelta& beside,
                           const std::string& name) {
  for (const CounterDelta& delta : deltas)
    if (delta.device == beside.device && delta.port == beside.port && delta.counter.name == name)
      return moved(delta);
  return 0;
}

/// Receives and requests flushed at the end of a QP are not errors, but *_cqe_error counts them too.
bool only_flushed(const std::vector<CounterDelta>& deltas, const CounterDelta& delta) {
  for (const std::string side : {"resp", "req"})
    if (delta.counter.name == side + "_cqe_error")
      return moved(delta) <= moved_beside(deltas, delta, side + "_cqe_flush_error");
  return false;
}

/// The class of this movement under the circumstances.
LinkClass class_of(const std::vector<CounterDelta>& deltas, const CounterDelta& delta,
                   const Circumstances& circumstances) {
  if (delta.fact == nullptr || moved(delta) == 0) return LinkClass::clean;
  if (counts_symbol_errors(delta)) {
    const double allowed = circumstances.gbit_per_s * 1e9 * circumstances.seconds * allowed_error_rate;
    return static_cast<double>(moved(delta)) > allowed ? delta.fact->speaks_for : LinkClass::clean;
  }
  if (circumstances.adaptive_routing && delta.counter.name == "out_of_sequence") return LinkClass::clean;
  return only_flushed(deltas, delta) ? LinkClass::clean : delta.fact->speaks_for;
}

/// In the order in which a report lists them.
struct Sorted {
  std::vector<core::CounterReport> reasons, blind, also_moved;
};

void sort_in(const std::vector<CounterDelta>& deltas, const CounterDelta& delta,
             const Circumstances& circumstances, core::LinkReport& link, Sorted& sorted) {
  const bool of_trouble = delta.fact != nullptr && delta.fact->speaks_for != LinkClass::clean;
  if (!delta.moved) {
    if (of_trouble || delta.counter.name.empty())
      sorted.blind.push_back(report_of(delta, LinkClass::unknown));
    return;
  }
  link.watched += of_trouble ? 1 : 0;
  const LinkClass speaks_for = class_of(deltas, delta, circumstances);
  if (speaks_for != LinkClass::clean)
    sorted.reasons.push_back(report_of(delta, speaks_for));
  else if (moved(delta) > 0 && (delta.fact == nullptr || !traffic(delta) || of_trouble))
    sorted.also_moved.push_back(report_of(delta, LinkClass::clean));
}

/// Whether a counter that could have shown loss or a fault was blind, or a port had none that could be
/// followed.
bool blind_to_loss(const std::vector<CounterDelta>& deltas) {
  std::map<std::pair<std::string, int>, bool> followed;
  for (const CounterDelta& delta : deltas) {
    const bool shows_loss = delta.fact != nullptr && delta.fact->speaks_for >= LinkClass::lossy;
    if (shows_loss && !delta.moved) return true;
    followed[{delta.device, delta.port}] |= shows_loss;
  }
  return std::any_of(followed.begin(), followed.end(), [](const auto& port) { return !port.second; });
}

}  // namespace

core::LinkReport classify(const std::vector<CounterDelta>& deltas, const Circumstances& circumstances) {
  core::LinkReport link;
  Sorted sorted;
  for (const CounterDelta& delta : deltas) sort_in(deltas, delta, circumstances, link, sorted);
  std::ranges::stable_sort(sorted.reasons, std::ranges::greater{}, &core::CounterReport::speaks_for);
  const LinkClass gravest = sorted.reasons.empty() ? LinkClass::clean : sorted.reasons.front().speaks_for;
  const bool blind = link.watched == 0 || blind_to_loss(deltas);
  link.link_class = blind ? std::max(gravest, LinkClass::unknown) : gravest;
  for (auto* counters : {&sorted.reasons, &sorted.blind, &sorted.also_moved})
    std::ranges::move(*counters, std::back_inserter(link.counters));
  return link;
}

}  // namespace assay::link
