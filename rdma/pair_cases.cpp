// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases between pairs of ranks: bandwidth and message rate of all pairs of a round at once; latency, latency
// under load, error dose and fault drill between rank 0 and its peer.
#include <algorithm>
#include <optional>
#include <string>

#include "harness/link/error_dose.hpp"
#include "rdma/pair_declarations.hpp"
#include "rdma/trials/latency_trial.hpp"
#include "rdma/trials/stream_trial.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

class Latency : public OnVerbs<DeclaredLatency>, public LatencyTrial {
 public:
  Latency(const VerbsPoint& at, TeamSite& site) : Latency(site, SeatedPair(at, site)) {}

 private:
  Latency(TeamSite& site, const SeatedPair& pair)
      : LatencyTrial(site.machine, site.team, pair.seats.own, pair.ends) {}
};

class LatencyUnderLoad : public OnVerbs<DeclaredLatencyUnderLoad>, public LoadedTrial {
 public:
  LatencyUnderLoad(const Settings& at, TeamSite& site) : LatencyUnderLoad(at, site, SeatedPair(at, site)) {}

 private:
  LatencyUnderLoad(const Settings& at, TeamSite& site, const SeatedPair& pair)
      : LoadedTrial(site.machine, site.team, pair.seats.own, pair.ends, at.load_percent) {}
};

class ErrorDose : public OnVerbs<DeclaredErrorDose>, public StreamTrial {
 public:
  static std::optional<std::string> unsupported(const Settings& at) {
    constexpr double least_without_a_wire = 1e-9;
    const bool wire =
        std::ranges::any_of(at.place.machine->hcas, [](const machine::Hca& hca) { return !hca.software; });
    if (wire || at.bound >= least_without_a_wire) return std::nullopt;
    return "a software device has no wire of its own whose bit errors could be bounded (bound=1e-9 tries it "
           "out)";
  }
  ErrorDose(const Settings& at, TeamSite& site) : ErrorDose(at, site, SeatedPair(at, site)) {}

  std::vector<core::Fact> facts() {
    std::vector<core::Fact> facts = StreamTrial::facts();
    const auto dose = watch().dose(results());
    facts.emplace_back(
        "error_dose",
        dose ? describe(*dose) : "nothing is proven: the counters were not clean, or could not be read");
    if (dose) facts.emplace_back("error_dose_progress", describe_progress(*dose, bound_));
    return facts;
  }

 private:
  ErrorDose(const Settings& at, TeamSite& site, const SeatedPair& pair)
      : StreamTrial(site.machine, site.team, pair.seats.own,
                    schedule_of({{pair.ends}}, Ways::both, pair.seats.own)),
        bound_(at.bound) {}

  double bound_;
};

class FaultDrill : public OnVerbs<DeclaredFaultDrill>, public StreamTrial {
 public:
  FaultDrill(const Settings& at, TeamSite& site)
      : FaultDrill(at.planted, site, SeatedPair({traffic_of(at), at.place}, site)) {}

 private:
  FaultDrill(Fault planted, TeamSite& site, const SeatedPair& pair)
      : StreamTrial(site.machine, site.team, pair.seats.own,
                    schedule_of({{pair.ends}}, Ways::one, pair.seats.own), planted) {}
  static rdma::Settings traffic_of(const Settings& at) {
    rdma::Settings traffic = at.traffic;
    if (at.planted == Fault::empty_receive_queue) traffic.message.operation = Operation::send;
    return traffic;
  }
};

}  // namespace

std::vector<core::Case> pair_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<Latency>(around),
          case_of<Paired<DeclaredBandwidth>>(around),
          case_of<Paired<DeclaredBidirectional>>(around),
          case_of<Paired<DeclaredMessageRate>>(around),
          case_of<LatencyUnderLoad>(around),
          case_of<ErrorDose>(around),
          case_of<FaultDrill>(around)};
}

}  // namespace assay::rdma
