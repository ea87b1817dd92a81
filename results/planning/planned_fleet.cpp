// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/planning/planned_fleet.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <utility>

namespace assay::results {
namespace {

constexpr double tail_degrees = 5;

/// Units are equal but for their noise, so that any of them may be the slow one.
constexpr std::size_t slow_at = 0;

/// Points take turns: those of one group are also judged by what they have in common.
constexpr const char* point_groups[] = {"gemm", "memory", "link"};

Fleet units_and_points(const PlannedFleet& planned) {
  Fleet fleet;
  fleet.unit_level = planned.unit_level;
  const bool has_parts = planned.unit_level != "host";
  if (has_parts) fleet.levels = {"host"};
  for (std::size_t point = 0; point < planned.points.size(); ++point) {
    const char* group = point_groups[point % std::size(point_groups)];
    fleet.metrics.push_back({fmt::format("{}.{}", group, point), group, false});
  }
  for (int host = 0; host < planned.hosts; ++host) {
    const std::string name = fmt::format("h{}", host);
    for (int unit = 0; unit < planned.units_per_host; ++unit)
      fleet.units.push_back(
          has_parts ? FleetUnit{fmt::format("{}/{}{}", name, planned.unit_level, unit), "", {name}}
                    : FleetUnit{name, "", {}});
  }
  return fleet;
}

class Drawing {
 public:
  Drawing(const PlannedFleet& planned, std::optional<double> loss, std::uint64_t seed)
      : planned_(planned), loss_(loss), random_(seed), fleet_(units_and_points(planned)) {
    std::normal_distribution<double> normal;
    for (const PointNoise& point : planned_.points)
      for (std::size_t unit = 0; unit < fleet_.units.size(); ++unit)
        lasting_.push_back(point.lasting * normal(random_));
  }

  Fleet next_round() {
    std::student_t_distribution<double> tail(tail_degrees);
    const double to_unit_deviation = std::sqrt((tail_degrees - 2) / tail_degrees);
    Fleet round = fleet_;
    for (std::size_t point = 0; point < planned_.points.size(); ++point)
      for (std::size_t unit = 0; unit < fleet_.units.size(); ++unit) {
        const double log = lasting_[round.values.size()] +
                           planned_.points[point].changing * to_unit_deviation * tail(random_);
        const bool is_slow = loss_ && point == 0 && unit == slow_at;
        round.values.push_back(std::exp(log) / (is_slow ? 1 - *loss_ : 1));
      }
    return round;
  }

 private:
  const PlannedFleet& planned_;
  std::optional<double> loss_;
  std::mt19937_64 random_;
  Fleet fleet_;
  std::vector<double> lasting_;
};

}  // namespace

MeasuredFleet simulated_rounds(const PlannedFleet& planned, int rounds, std::optional<double> loss,
                               std::uint64_t seed) {
  Drawing drawing(planned, loss, seed);
  MeasuredFleet measured;
  measured.first = drawing.next_round();
  for (int round = 1; round < rounds; ++round) measured.again.push_back(drawing.next_round());
  return measured;
}

std::string slow_unit(const PlannedFleet& planned) {
  return units_and_points(planned).units.at(slow_at).name;
}

}  // namespace assay::results
