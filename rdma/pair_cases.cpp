// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases between pairs of ranks: bandwidth and message rate of all pairs of a round at once; latency, latency
// under load, error dose and fault drill between rank 0 and its peer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/error_dose.hpp"
#include "rdma/trials/latency_trial.hpp"
#include "rdma/trials/stream_trial.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Case;
using core::Domain;
using core::Headline;
using core::Point;
using core::Value;

std::vector<Value> sizes(std::initializer_list<std::int64_t> bytes) { return {bytes.begin(), bytes.end()}; }

class Latency : public VerbsCase, public LatencyTrial {
 public:
  static constexpr std::string_view name = "rdma.verbs.latency";
  static constexpr std::string_view measures =
      "one message at a time: median, p99, p99.9, maximum, and the cold first one";
  static constexpr Headline headline = Headline::latency_us;
  static constexpr std::int64_t min_samples = 3000;  // p99.9 needs 2,995
  static constexpr double min_sample_seconds = 5e-3;
  static std::vector<Axis> axes() {
    return with_pair(
        {operation_axis({"write", "send", "read"}), bytes_axis(sizes({2, 64, 1024, 4096, 65536}))});
  }
  static VerbsPoint settings(const Point& point, const Surroundings& around) {
    return {latency_settings(point), around};
  }
  static std::optional<std::string> impossible(const VerbsPoint& at) {
    if (auto reason = VerbsCase::impossible(at)) return reason;
    if (at.traffic.message.operation == Operation::write &&
        at.traffic.posting.completion == Completion::events)
      return "a write completes nothing at its target: there is no event to wait for (write_imm has one)";
    return std::nullopt;
  }
  Latency(const VerbsPoint& at, TeamSite& site) : Latency(site, SeatedPair(at, site)) {}

 private:
  Latency(TeamSite& site, const SeatedPair& pair)
      : LatencyTrial(site.machine, site.team, pair.seats.own, pair.ends) {}
};

struct Bandwidth : StreamCase {
  static constexpr std::string_view name = "rdma.verbs.bandwidth";
  static constexpr std::string_view measures = "one direction: payload per second in the steady state";
  static std::vector<Axis> axes() {
    return with_round(
        joined({operation_axis({"write", "send", "read"}), bytes_axis(sizes({64, 4096, 65536, 1 << 20}))},
               posting_axes()));
  }
  static constexpr Ways ways = Ways::one;
};

struct Bidirectional : StreamCase {
  static constexpr std::string_view name = "rdma.verbs.bidirectional";
  static constexpr std::string_view measures = "both directions at once: each and the sum";
  static std::vector<Axis> axes() {
    return with_round(
        joined({operation_axis({"write"}), bytes_axis(sizes({65536, 1 << 20}))}, posting_axes()));
  }
  static constexpr Ways ways = Ways::both;
};

struct MessageRate : StreamCase {
  static constexpr std::string_view name = "rdma.verbs.message_rate";
  static constexpr std::string_view measures = "small messages per second over several queue pairs";
  static constexpr Headline headline = Headline::message_rate_m_per_s;
  static std::vector<Axis> axes() {
    return with_round(
        joined({operation_axis({"write", "send"}), bytes_axis(sizes({8, 64}))}, posting_axes(4, 16)));
  }
  static constexpr Ways ways = Ways::one;
};

class LatencyUnderLoad : public VerbsCase, public LoadedTrial {
 public:
  struct Settings : VerbsPoint {
    int load_percent = 0;
  };
  static constexpr std::string_view name = "rdma.verbs.latency_under_load";
  static constexpr std::string_view measures =
      "open loop: messages are due at a share of the closed-loop rate, each timed from when it was due to "
      "completion";
  static constexpr Headline headline = Headline::latency_us;
  static constexpr std::int64_t min_samples = 3000;
  static constexpr double min_sample_seconds = 20e-3;
  static std::vector<Axis> axes() {
    return with_pair({operation_axis({"write"}),
                      bytes_axis(sizes({65536})),
                      {"load_percent", "share of the closed-loop message rate", Domain::integers,
                       sizes({10, 50, 80, 90, 95})},
                      {"tx_depth", "messages the queue pair holds before further ones wait", Domain::integers,
                       sizes({128})}});
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    const std::int64_t percent = point.integer("load_percent");
    if (percent < 1 || percent > 200)
      core::usage_error(fmt::format("load_percent={}: expected 1 to 200", percent));
    return {VerbsCase::settings(point, around), static_cast<int>(percent)};
  }
  static std::optional<std::string> impossible(const Settings& at) {
    if (auto reason = VerbsCase::impossible(at)) return reason;
    if (at.traffic.posting.completion == Completion::events)
      return "an open loop posts by the clock: it cannot sleep until a completion's event";
    return std::nullopt;
  }
  LatencyUnderLoad(const Settings& at, TeamSite& site) : LatencyUnderLoad(at, site, SeatedPair(at, site)) {}

 private:
  LatencyUnderLoad(const Settings& at, TeamSite& site, const SeatedPair& pair)
      : LoadedTrial(site.machine, site.team, pair.seats.own, pair.ends, at.load_percent) {}
};

double bound_of(const Point& point) {
  const std::string& text = point.text("bound");
  char* end = nullptr;
  const double bound = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !(bound > 0 && bound < 1))
    core::usage_error(
        fmt::format("bound={}: expected a bit error rate between 0 and 1, such as 1e-12", text));
  return bound;
}

/// How long this machine's slowest active link needs for the bound; a software device reports no rate.
double seconds_for(const machine::Machine& machine, double bound) {
  constexpr double unknown_gbit_per_s = 0.2,
                   margin = 1.25;  // soft-RoCE reaches about that; the run shows its own rate
  double slowest = 0;
  for (const machine::Hca& hca : machine.hcas) {
    const auto rate = hca.software ? std::nullopt : link::parse_link_rate(hca.rate);
    const double gbit_per_s = rate ? rate->nominal_gbit_per_s : unknown_gbit_per_s;
    if (hca.state == "ACTIVE" && (slowest == 0 || gbit_per_s < slowest)) slowest = gbit_per_s;
  }
  return margin * link::seconds_to_prove(bound, slowest > 0 ? slowest : unknown_gbit_per_s);
}

class ErrorDose : public StreamCase, public StreamTrial {
 public:
  struct Settings : VerbsPoint {
    double bound = 0;
  };
  static constexpr std::string_view name = "rdma.verbs.error_dose";
  static constexpr std::string_view measures =
      "streams until the bits moved without error prove the asked bound of the bit error rate";
  static std::vector<Axis> axes() {
    return with_pair(joined({operation_axis({"write"}),
                             bytes_axis(sizes({1 << 20})),
                             {"bound", "bit error rate to prove, at 95 %", Domain::words, {"1e-12"}}},
                            posting_axes(2)));
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    return {StreamCase::settings(point, around), bound_of(point)};
  }
  static core::Work work(const Settings& at) { return work_of_pair(at, Ways::both); }
  static std::optional<std::string> unsupported(const Settings& at) {
    constexpr double least_without_a_wire = 1e-9;
    const bool wire =
        std::ranges::any_of(at.place.machine->hcas, [](const machine::Hca& hca) { return !hca.software; });
    if (wire || at.bound >= least_without_a_wire) return std::nullopt;
    return "a software device has no wire of its own whose bit errors could be bounded (bound=1e-9 tries it "
           "out)";
  }
  static double seconds_needed(const Settings& at, const Surroundings& around) {
    return seconds_for(*around.machine, at.bound);
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

constexpr std::array<std::pair<const char*, Fault>, 6> faults{
    {{"none", Fault::none},
     {"wrong_key", Fault::wrong_key},
     {"wrong_address", Fault::wrong_address},
     {"wrong_gid", Fault::wrong_gid},
     {"larger_mtu", Fault::larger_mtu},
     {"empty_receive_queue", Fault::empty_receive_queue}}};

class FaultDrill : public VerbsCase, public StreamTrial {
 public:
  struct Settings : VerbsPoint {
    Fault planted = Fault::none;
  };
  static constexpr std::string_view name = "rdma.verbs.fault_drill";
  static constexpr std::string_view measures =
      "plants a fault and shows what the module reports of it: points fail, as they must";
  static constexpr Headline headline = Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 2e-3;
  static std::vector<Axis> axes() {
    std::vector<std::string> words;
    for (const auto& [word, fault] : faults) words.emplace_back(word);
    return with_pair({operation_axis({"write"}),
                      bytes_axis(sizes({4096})),
                      {"fault", "what is planted", Domain::words, {"none"}, words}});
  }
  static Settings settings(const Point& point, const Surroundings& around) {
    Settings made{VerbsCase::settings(point, around)};
    for (const auto& [word, fault] : faults)
      if (point.text("fault") == word) made.planted = fault;
    return made;
  }
  static std::optional<std::string> impossible(const Settings& at) {
    if (at.traffic.connect == Connect::rdma_cm)
      return "faults are planted into exchanged attributes, not into those of rdma_cm";
    return VerbsCase::impossible(at);
  }
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

std::vector<Case> pair_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<Latency>(around),
          case_of<Paired<Bandwidth>>(around),
          case_of<Paired<Bidirectional>>(around),
          case_of<Paired<MessageRate>>(around),
          case_of<LatencyUnderLoad>(around),
          case_of<ErrorDose>(around),
          case_of<FaultDrill>(around)};
}

}  // namespace assay::rdma
