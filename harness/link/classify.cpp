// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/link/classify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

/// By how much the same port's counter of this name moved.
std::uint64_t moved_beside(const std::vector<CounterDelta>& deltas, const CounterDelta& beside,
                           const std::string& name) {
  for (const CounterDelta& delta : deltas)
    if (delta.device == beside.device && delta.port == beside.port && delta.counter.name == name)
      return moved(delta);
  return 0;
}

/// Receives and requests flushed at the end of a QP are no errors: *_cqe_error counts them again.
bool only_flushed(const std::vector<CounterDelta>& deltas, const CounterDelta& delta) {
  for (const std::string side : {"resp", "req"})
    if (delta.counter.name == side + "_cqe_error")
      return moved(delta) <= moved_beside(deltas, delta, side + "_cqe_flush_error");
  return false;
}

/// What this movement speaks for under the circumstances.
CounterClass class_of(const std::vector<CounterDelta>& deltas, const CounterDelta& delta,
                      const Circumstances& circumstances) {
  if (delta.fact == nullptr || moved(delta) == 0) return CounterClass::informational;
  if (counts_symbol_errors(delta)) {
    const double allowed = circumstances.gbit_per_s * 1e9 * circumstances.seconds * allowed_error_rate;
    return static_cast<double>(moved(delta)) > allowed ? delta.fact->speaks_for : CounterClass::informational;
  }
  if (circumstances.adaptive_routing && delta.counter.name == "out_of_sequence")
    return CounterClass::informational;
  return only_flushed(deltas, delta) ? CounterClass::informational : delta.fact->speaks_for;
}

PointClass point_class_of(CounterClass speaks_for) {
  switch (speaks_for) {
    case CounterClass::informational:
      return PointClass::clean;
    case CounterClass::congested:
      return PointClass::congested;
    case CounterClass::lossy:
      return PointClass::lossy;
    case CounterClass::faulty:
      return PointClass::faulty;
  }
  return PointClass::unknown;
}

struct Reason {
  CounterClass speaks_for;
  std::string text;
};

void sort_in(const std::vector<CounterDelta>& deltas, const CounterDelta& delta,
             const Circumstances& circumstances, Classification& classification,
             std::vector<Reason>& reasons) {
  const bool of_trouble = delta.fact != nullptr && delta.fact->speaks_for != CounterClass::informational;
  if (!delta.moved) {
    if (of_trouble || delta.counter.name.empty()) classification.cannot_tell.push_back(describe(delta));
    return;
  }
  classification.watched += of_trouble ? 1 : 0;
  const CounterClass speaks_for = class_of(deltas, delta, circumstances);
  if (speaks_for != CounterClass::informational)
    reasons.push_back({speaks_for, fmt::format("{} ({})", describe(delta), delta.fact->meaning)});
  else if (moved(delta) > 0 && (delta.fact == nullptr || !traffic(delta) || of_trouble))
    classification.also_moved.push_back(describe(delta));
}

/// Whether a counter that could have shown loss or a fault was blind, or a port had none that could be
/// followed.
bool blind_to_loss(const std::vector<CounterDelta>& deltas) {
  std::map<std::pair<std::string, int>, bool> followed;
  for (const CounterDelta& delta : deltas) {
    const bool shows_loss = delta.fact != nullptr && delta.fact->speaks_for >= CounterClass::lossy;
    if (shows_loss && !delta.moved) return true;
    followed[{delta.device, delta.port}] |= shows_loss;
  }
  return std::any_of(followed.begin(), followed.end(), [](const auto& port) { return !port.second; });
}

int gravity(PointClass point_class) {
  switch (point_class) {
    case PointClass::clean:
      return 0;
    case PointClass::congested:
      return 1;
    case PointClass::unknown:
      return 2;
    case PointClass::lossy:
      return 3;
    case PointClass::faulty:
      return 4;
  }
  return 2;
}

}  // namespace

Classification classify(const std::vector<CounterDelta>& deltas, const Circumstances& circumstances) {
  Classification classification;
  std::vector<Reason> reasons;
  for (const CounterDelta& delta : deltas) sort_in(deltas, delta, circumstances, classification, reasons);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const Reason& one, const Reason& other) { return one.speaks_for > other.speaks_for; });
  for (Reason& reason : reasons) classification.reasons.push_back(std::move(reason.text));
  const CounterClass gravest = reasons.empty() ? CounterClass::informational : reasons.front().speaks_for;
  const bool blind = classification.watched == 0 || blind_to_loss(deltas);
  classification.point_class =
      blind && gravest < CounterClass::lossy ? PointClass::unknown : point_class_of(gravest);
  return classification;
}

std::string describe(const Classification& classification) {
  std::vector<std::string> parts = classification.reasons;
  if (classification.point_class == PointClass::clean)
    parts.push_back(fmt::format("{} counters watched", classification.watched));
  if (classification.watched == 0 && classification.cannot_tell.empty())
    parts.emplace_back("no counter of trouble could be read");
  parts.insert(parts.end(), classification.cannot_tell.begin(), classification.cannot_tell.end());
  return fmt::format("{}: {}", to_string(classification.point_class), fmt::join(parts, "; "));
}

std::vector<core::Fact> facts(const Classification& classification) {
  return {{"link_class", std::string(to_string(classification.point_class))},
          {"link_counters", describe(classification)},
          {"link_counters_watched", std::int64_t{classification.watched}},
          {"link_also_moved", fmt::format("{}", fmt::join(classification.also_moved, "; "))}};
}

PointClass worst(PointClass one, PointClass other) { return gravity(one) >= gravity(other) ? one : other; }

std::string_view to_string(PointClass point_class) {
  switch (point_class) {
    case PointClass::clean:
      return "clean";
    case PointClass::congested:
      return "congested";
    case PointClass::lossy:
      return "lossy";
    case PointClass::faulty:
      return "faulty";
    case PointClass::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace assay::link
