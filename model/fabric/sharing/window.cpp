// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/window.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "harness/link/packet_headers.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

constexpr double us_per_metre = 0.005;        // light in fibre
constexpr double bytes_per_us_of_gbit = 125;  // on the wire
constexpr double pause_frame_bytes = 64;

struct ResponseTime {
  double gbit_per_s, bits;
};
constexpr std::array<ResponseTime, 4> response_times{
    {{10, 30720}, {40, 60416}, {100, 201728}, {400, 463360}}};

double response_bytes(double gbit_per_s) {
  const auto* const found = std::ranges::find(response_times, gbit_per_s, &ResponseTime::gbit_per_s);
  if (found == response_times.end())
    refuse("the response time to a pause is known at 10, 40, 100 and 400 Gbit/s, got " +
           std::to_string(gbit_per_s));
  return found->bits / 8;
}

double on_both_ways(const PausedLink& link) {
  return 2 * link.metres * us_per_metre * link.gbit_per_s * bytes_per_us_of_gbit;
}

}  // namespace

double window_for_full_rate(double bytes_per_us, Admission admission) {
  return bytes_per_us * (admission.round_trip_us + admission.wait_us);
}

double rate_under_window(double window_bytes, double bytes_per_us, Admission admission) {
  return std::min(bytes_per_us, window_bytes / (admission.round_trip_us + admission.wait_us));
}

double incast_queue_bytes(std::span<const double> in_flight_bytes, double bytes_per_us,
                          double round_trip_us) {
  const double in_flight = std::accumulate(in_flight_bytes.begin(), in_flight_bytes.end(), 0.0);
  return std::max(0.0, in_flight - bytes_per_us * round_trip_us);
}

bool incast_without_pause(double queue_bytes, int input_ports, double pause_above_bytes) {
  return queue_bytes / input_ports < pause_above_bytes;
}

double largest_packet_bytes() {
  return 4096 + link::packet_overhead_bytes(link::Encapsulation::roce_v2_ipv4);
}

bool response_time_is_known(double gbit_per_s) {
  return std::ranges::find(response_times, gbit_per_s, &ResponseTime::gbit_per_s) != response_times.end();
}

double headroom_bytes(const PausedLink& link) {
  return on_both_ways(link) + response_bytes(link.gbit_per_s) + link.far_packet_bytes +
         link.near_packet_bytes + pause_frame_bytes;
}

double least_resume_bytes(const PausedLink& link) {
  return on_both_ways(link) + response_bytes(link.gbit_per_s);
}

double pause_us(double pause_above_bytes, double resume_below_bytes, double drain_bytes_per_us,
                double round_trip_us) {
  if (drain_bytes_per_us <= 0) return std::numeric_limits<double>::infinity();
  return (pause_above_bytes - resume_below_bytes) / drain_bytes_per_us + round_trip_us;
}

/// With the k ports of the largest potential at the threshold T, T = alpha (buffer - rest - k T).
double shared_threshold(double alpha, double buffer_bytes, std::span<const double> potentials) {
  if (!(alpha > 0)) refuse("alpha of a shared buffer must be above 0, got " + std::to_string(alpha));
  if (!(buffer_bytes > 0))
    refuse("a shared buffer must be above 0 bytes, got " + std::to_string(buffer_bytes));
  std::vector<double> falling(potentials.begin(), potentials.end());
  std::ranges::sort(falling, std::greater());
  double rest = std::accumulate(falling.begin(), falling.end(), 0.0);
  double threshold = alpha * std::max(0.0, buffer_bytes - rest);
  for (std::size_t limited = 0; limited < falling.size() && falling[limited] > threshold; ++limited) {
    rest -= falling[limited];
    threshold = alpha * std::max(0.0, buffer_bytes - rest) / (1 + alpha * static_cast<double>(limited + 1));
  }
  return threshold;
}

}  // namespace assay::model::fabric
