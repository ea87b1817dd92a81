// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/dcqcn.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

/// The settings in packets and seconds.
struct Packets {
  explicit Packets(const DcqcnSettings& settings)
      : link(settings.link_gbit_per_s * 1e9 / 8 / settings.packet_bytes),
        flow(settings.flow_gbit_per_s.value_or(settings.link_gbit_per_s) * 1e9 / 8 / settings.packet_bytes),
        additive(settings.additive_gbit_per_s * 1e9 / 8 / settings.packet_bytes),
        byte_counter(settings.byte_counter_bytes / settings.packet_bytes),
        mark_from(settings.mark_from_bytes / settings.packet_bytes),
        mark_all_from(settings.mark_all_from_bytes / settings.packet_bytes) {}

  double link, flow, additive, byte_counter, mark_from, mark_all_from;
};

/// 1 - (1 - p)^n: the chance that one of n packets is marked.
double any_marked(double p, double n) { return -std::expm1(n * std::log1p(-p)); }

/// p/((1 - p)^-n - 1): increases a packet where n packets without a mark make one.
double increases(double p, double n) { return p < 1e-14 ? 1 / n : p / std::expm1(-n * std::log1p(-p)); }

/// Terms of the equations at a marked share p and a rate.
struct Terms {
  Terms(const DcqcnSettings& settings, const Packets& packets, double p, double rate) {
    const double timer_packets = settings.timer_s * rate;
    cut = any_marked(p, settings.notification_interval_s * rate);
    by_bytes = rate * increases(p, packets.byte_counter);
    by_timer = rate * increases(p, timer_packets);
    const double steps = settings.fast_recovery_steps;
    additive = by_bytes * (1 - any_marked(p, steps * packets.byte_counter)) +
               by_timer * (1 - any_marked(p, steps * timer_packets));
    alpha = any_marked(p, settings.alpha_interval_s * rate);
  }

  double cut, by_bytes, by_timer;  // chance in an interval; increases a second
  double additive;                 // those beyond fast recovery
  double alpha;                    // that alpha tends to
};

double marked_at(const DcqcnSettings& settings, const Packets& packets, double queue) {
  if (queue <= packets.mark_from) return 0;
  if (queue > packets.mark_all_from) return 1;
  return settings.most_marked * (queue - packets.mark_from) / (packets.mark_all_from - packets.mark_from);
}

void check(const DcqcnSettings& settings) {
  const double least =
      std::min({settings.link_gbit_per_s, static_cast<double>(settings.flows), settings.packet_bytes,
                settings.additive_gbit_per_s, settings.byte_counter_bytes, settings.timer_s,
                settings.notification_interval_s, settings.alpha_interval_s, settings.fast_recovery_steps,
                settings.gain, settings.mark_from_bytes, settings.most_marked});
  if (!(least > 0)) refuse("DCQCN needs settings above 0, got " + std::to_string(least));
  if (!(settings.mark_all_from_bytes > settings.mark_from_bytes))
    refuse("DCQCN needs an upper threshold above the lower one");
  if (!(settings.feedback_delay_s >= 0)) refuse("DCQCN needs a delay of at least 0");
}

/// Rates of one of the equal flows, and the queue, in packets and packets/s.
struct State {
  double rate, target, alpha, queue;
};

State after(const State& state, const DcqcnSettings& settings, const Packets& packets, double marked,
            double rate_then, double step_s) {
  const Terms terms(settings, packets, std::min(marked, 1 - 1e-12), rate_then);
  const double gap = state.target - state.rate;
  State next = state;
  next.queue += step_s * (settings.flows * state.rate - packets.link);
  next.alpha += step_s * settings.gain / settings.alpha_interval_s * (terms.alpha - state.alpha);
  next.target +=
      step_s * (packets.additive * terms.additive - gap * terms.cut / settings.notification_interval_s);
  next.rate += step_s * (gap * (terms.by_bytes + terms.by_timer) / 2 -
                         state.rate * state.alpha * terms.cut / (2 * settings.notification_interval_s));
  next.queue = std::max(0.0, next.queue);
  next.rate = std::clamp(next.rate, packets.additive / 100, packets.flow);
  next.target = std::clamp(next.target, packets.additive / 100, packets.flow);
  return next;
}

/// From line rate and an empty queue.
class Fluid {
 public:
  Fluid(const DcqcnSettings& settings, double step_s)
      : settings_((check(settings), settings)), packets_(settings), step_s_(step_s) {
    const auto delay = static_cast<std::size_t>(std::llround(settings.feedback_delay_s / step_s));
    before_.assign(delay + 1, state_);
  }

  /// The share of the step in which the link was busy.
  double advance() {
    oldest_ = (oldest_ + 1) % before_.size();
    const State then = before_[oldest_];
    state_ =
        after(state_, settings_, packets_, marked_at(settings_, packets_, then.queue), then.rate, step_s_);
    before_[oldest_] = state_;
    sent_ += step_s_ * settings_.flows * state_.rate;
    return state_.queue > 0 ? 1 : std::min(1.0, settings_.flows * state_.rate / packets_.link);
  }

  double sent_bytes() const { return sent_ * settings_.packet_bytes; }
  double queue_bytes() const { return state_.queue * settings_.packet_bytes; }

 private:
  DcqcnSettings settings_;
  Packets packets_;
  double step_s_;
  State state_{packets_.flow, packets_.flow, 1, 0};
  double sent_ = 0;
  std::vector<State> before_;  // a ring: the oldest is what feedback reports
  std::size_t oldest_ = 0;
};

}  // namespace

/// At rest, alpha and the gap between target and rate follow from two of the equations; what remains rises
/// with p.
DcqcnFixedPoint dcqcn_fixed_point(const DcqcnSettings& settings) {
  check(settings);
  const Packets packets(settings);
  const double rate = packets.link / settings.flows, interval_s = settings.notification_interval_s;
  const auto excess = [&](double p) {
    const Terms terms(settings, packets, p, rate);
    const double increase = (terms.by_bytes + terms.by_timer) * terms.additive;
    return terms.cut * terms.cut * terms.alpha - interval_s * interval_s * packets.additive / rate * increase;
  };
  double low = std::log(1e-12), high = 0;  // p by its logarithm
  for (int halved = 0; halved < 100; ++halved) {
    const double middle = (low + high) / 2;
    (excess(std::exp(middle)) < 0 ? low : high) = middle;
  }
  DcqcnFixedPoint point{.marked = std::exp(low), .queue_bytes = std::nullopt};
  if (point.marked <= settings.most_marked)
    point.queue_bytes =
        settings.mark_from_bytes +
        point.marked / settings.most_marked * (settings.mark_all_from_bytes - settings.mark_from_bytes);
  return point;
}

double dcqcn_small_share(const DcqcnSettings& settings) {
  check(settings);
  const Packets packets(settings);
  const double events = 1 / packets.byte_counter + settings.flows / (settings.timer_s * packets.link);
  const double rate = packets.link / settings.flows;
  return std::cbrt(packets.additive / (settings.alpha_interval_s * rate * rate) * events * events);
}

DcqcnRun integrate_dcqcn(const DcqcnSettings& settings, double step_s, double end_s) {
  Fluid fluid(settings, step_s);
  const auto steps = static_cast<std::size_t>(std::llround(end_s / step_s));
  const std::size_t half = steps / 2;
  double sum = 0, squares = 0, served = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const double share = fluid.advance(), queue = fluid.queue_bytes();
    if (step < half) continue;
    sum += queue;
    squares += queue * queue;
    served += share;
  }
  const auto count = static_cast<double>(steps - half);
  const double mean = sum / count;
  return {.mean_queue_bytes = mean,
          .deviation_bytes = std::sqrt(std::max(0.0, squares / count - mean * mean)),
          .utilisation = served / count};
}

DcqcnStart start_of_dcqcn(const DcqcnSettings& settings, double bytes, double step_s) {
  Fluid fluid(settings, step_s);
  const auto most = static_cast<std::size_t>(std::llround(longest_start_s / step_s));
  DcqcnStart start;
  double lost_late_s = 0;
  for (std::size_t step = 0; step < most; ++step) {
    if (fluid.sent_bytes() >= bytes) return start;
    const double share = fluid.advance();
    start.lost_s += step_s * (1 - share);
    if (step >= most / 2) lost_late_s += step_s * (1 - share);
    start.most_queued_bytes = std::max(start.most_queued_bytes, fluid.queue_bytes());
  }
  const double late_s = longest_start_s / 2, bytes_per_s = settings.link_gbit_per_s * 1e9 / 8;
  start.lost_s += (bytes - fluid.sent_bytes()) / bytes_per_s * lost_late_s / (late_s - lost_late_s);
  return start;
}

}  // namespace assay::model::fabric
