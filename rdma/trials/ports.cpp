// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Several ports of a host at once, a rank each: what each reaches, the sum, and what each reaches alone. Two
// ports of one adapter share its PCIe link.
#include <limits>

#include "rdma/pattern_declarations.hpp"
#include "rdma/traffic/wiring/pairing.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

constexpr double each_flow_is_a_suspect = std::numeric_limits<double>::infinity();

class Ports : public OnVerbs<DeclaredPorts>, public StreamTrial {
 public:
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
        schedule_of({ports_of(seats.ranks, seats.own.pairing, static_cast<std::size_t>(at.number))},
                    Ways::one, seats.own);
    schedule.suspect_share = each_flow_is_a_suspect;
    return schedule;
  }
};

}  // namespace

std::vector<core::Case> ports_cases(const Surroundings& around) { return {core::case_of<Ports>(around)}; }

}  // namespace assay::rdma
