// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Several ports of a host at once, a rank each: what each reaches, the sum, and what each reaches alone. Two
// ports of one adapter share its PCIe link.
#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "harness/core/error.hpp"
#include "rdma/traffic/pairing.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

constexpr double each_flow_is_a_suspect = std::numeric_limits<double>::infinity();

struct PortsPoint : VerbsPoint {
  std::size_t ports = 0;
};

class Ports : public StreamCase, public StreamTrial {
 public:
  using Settings = PortsPoint;
  static constexpr std::string_view name = "rdma.verbs.ports";
  static constexpr std::string_view measures =
      "ports of two nodes, a rank each, all at once: each rate, the sum, and each again alone";

  static std::vector<core::Axis> axes() {
    return with_connection(joined({{"ports", "of each node", core::Domain::integers, {std::int64_t{2}}},
                                   operation_axis({"write"}),
                                   bytes_axis({std::int64_t{1} << 20})},
                                  posting_axes()));
  }
  static Settings settings(const core::Point& point, const Surroundings& around) {
    const std::int64_t ports = point.integer("ports");
    if (ports < 2 || ports > 64) core::usage_error(fmt::format("ports={}: expected 2 to 64", ports));
    return {StreamCase::settings(point, around), static_cast<std::size_t>(ports)};
  }
  static core::Work work(const Settings& at) {
    core::Work work = work_of_pair(at, Ways::one);
    work.bytes *= static_cast<double>(at.ports);
    work.messages *= static_cast<double>(at.ports);
    work.bytes_counted = "payload, once, of all ports at the pace of the slowest";
    return work;
  }
  Ports(const Settings& at, TeamSite& site)
      : Ports(at, site, take_seats(site.team, site.machine, at.traffic)) {}

  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    std::vector<core::Metric> metrics = StreamTrial::metrics(measurement);
    double together = 0, alone = 0;
    for (const core::FlowReport& flow : flows()) {
      together += flow.gb_per_s.value_or(0);
      alone += flow.alone_gb_per_s.value_or(0);
    }
    if (alone <= 0) return metrics;
    metrics.push_back({"alone_sum_gb_per_s", "GB/s", alone});
    metrics.push_back({"percent_of_alone", "%", 100 * together / alone});
    return metrics;
  }

 private:
  Ports(const Settings& at, TeamSite& site, const Seats& seats)
      : StreamTrial(site.machine, site.team, seats.own, all_ports(at, seats)) {}

  static Schedule all_ports(const Settings& at, const Seats& seats) {
    Schedule schedule =
        schedule_of({ports_of(seats.ranks, seats.own.pairing, at.ports)}, Ways::one, seats.own);
    schedule.suspect_share = each_flow_is_a_suspect;
    return schedule;
  }
};

}  // namespace

std::vector<core::Case> ports_cases(const Surroundings& around) { return {core::case_of<Ports>(around)}; }

}  // namespace assay::rdma
