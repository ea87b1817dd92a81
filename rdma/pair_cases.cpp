// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases between ranks 0 and 1: latency, bandwidth, message rate, latency under load, error dose, fault drill.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "harness/core/error.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/error_dose.hpp"
#include "rdma/case_maker.hpp"
#include "rdma/trials/dose_trial.hpp"
#include "rdma/trials/latency_trial.hpp"
#include "rdma/trials/loaded_trial.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Case;
using core::Domain;
using core::Headline;
using core::Point;
using core::Value;

std::vector<Value> sizes(std::initializer_list<std::int64_t> bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<Axis> joined(std::vector<Axis> axes, std::vector<Axis> more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

Case latency(const CaseMaker& maker) {
  Case made =
      maker.make("latency", "one message at a time: median, p99, p99.9, maximum, and the cold first one",
                 Headline::latency_us,
                 {operation_axis({"write", "send", "read"}), bytes_axis(sizes({2, 64, 1024, 4096, 65536}))},
                 [](const CaseMaker& own, const Point& point) {
                   return std::make_unique<LatencyTrial>(own.machine, *own.team, latency_settings(point));
                 });
  made.unsupported = [general = made.unsupported](const Point& point) -> std::optional<std::string> {
    if (auto reason = general(point)) return reason;
    if (point.text("operation") == "write" && point.text("completion") == "events")
      return "a write completes nothing at its target: there is no event to wait for (write_imm has one)";
    return std::nullopt;
  };
  made.min_samples = 3000;  // p99.9 needs 2,995
  made.min_sample_seconds = 5e-3;
  return made;
}

Case bandwidth(const CaseMaker& maker) {
  return maker.stream(
      "bandwidth", "one direction: payload per second in the steady state",
      joined({operation_axis({"write", "send", "read"}), bytes_axis(sizes({64, 4096, 65536, 1 << 20}))},
             posting_axes()),
      [](int, const Point&, const Settings& settings) { return Schedule{{{flow_between(0, 1, settings)}}}; });
}

Case bidirectional(const CaseMaker& maker) {
  return maker.stream(
      "bidirectional", "both directions at once: each and the sum",
      joined({operation_axis({"write"}), bytes_axis(sizes({65536, 1 << 20}))}, posting_axes()),
      [](int, const Point&, const Settings& settings) {
        return Schedule{{{flow_between(0, 1, settings), flow_between(1, 0, settings)}}};
      });
}

Case message_rate(const CaseMaker& maker) {
  Case made = maker.stream(
      "message_rate", "small messages per second over several queue pairs",
      joined({operation_axis({"write", "send"}), bytes_axis(sizes({8, 64}))}, posting_axes(4, 16)),
      [](int, const Point&, const Settings& settings) { return Schedule{{{flow_between(0, 1, settings)}}}; });
  made.headline = Headline::message_rate_m_per_s;
  return made;
}

Case latency_under_load(const CaseMaker& maker) {
  Case made = maker.make(
      "latency_under_load",
      "open loop: messages are due at a share of the closed-loop rate, each timed from when it was due to "
      "completion",
      Headline::latency_us,
      {operation_axis({"write"}),
       bytes_axis(sizes({65536})),
       {"load_percent",
        "share of the closed-loop message rate",
        Domain::integers,
        {std::int64_t{10}, std::int64_t{50}, std::int64_t{80}, std::int64_t{90}, std::int64_t{95}}},
       {"tx_depth",
        "messages the queue pair holds before further ones wait",
        Domain::integers,
        {std::int64_t{128}}}},
      [](const CaseMaker& own, const Point& point) {
        const std::int64_t percent = point.integer("load_percent");
        if (percent < 1 || percent > 200)
          core::usage_error(fmt::format("load_percent={}: expected 1 to 200", percent));
        return std::make_unique<LoadedTrial>(own.machine, *own.team, settings_of(point),
                                             static_cast<int>(percent));
      });
  made.unsupported = [general = made.unsupported](const Point& point) -> std::optional<std::string> {
    if (auto reason = general(point)) return reason;
    if (point.text("completion") == "events")
      return "an open loop posts by the clock: it cannot sleep until a completion's event";
    return std::nullopt;
  };
  made.min_samples = 3000;
  made.min_sample_seconds = 20e-3;
  return made;
}

double bound_of(const Point& point) {
  const std::string& text = point.text("bound");
  char* end = nullptr;
  const double bound = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !(bound > 0 && bound < 1))
    core::usage_error(
        fmt::format("bound={}: expected a bit error rate between 0 and 1, such as 1e-12", text));
  return bound;
}

/// How long this machine's slowest active link needs for the bound; a software device tells no rate.
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

Case error_dose(const CaseMaker& maker) {
  Case made = maker.stream(
      "error_dose", "streams until the bits moved without error prove the asked bound of the bit error rate",
      joined({operation_axis({"write"}),
              bytes_axis(sizes({1 << 20})),
              {"bound", "bit error rate to prove, at 95 %", Domain::words, {"1e-12"}}},
             posting_axes(2)),
      [](int, const Point&, const Settings& settings) {
        return Schedule{{{flow_between(0, 1, settings), flow_between(1, 0, settings)}}};
      });
  made.prepare = [maker](const Point& point) {
    const Settings settings = settings_of(point);
    return std::make_unique<DoseTrial>(maker.machine, *maker.team, settings, bound_of(point));
  };
  made.unsupported = [machine = &maker.machine, general = made.unsupported](const Point& point) {
    constexpr double least_without_a_wire = 1e-9;
    const bool wire =
        std::ranges::any_of(machine->hcas, [](const machine::Hca& hca) { return !hca.software; });
    auto reason = general(point);
    if (!reason && !wire && bound_of(point) < least_without_a_wire)
      reason =
          "a software device has no wire of its own whose bit errors could be bounded (bound=1e-9 tries it "
          "out)";
    return reason;
  };
  made.seconds_needed = [machine = &maker.machine](const Point& point) {
    return seconds_for(*machine, bound_of(point));
  };
  return made;
}

constexpr std::array<std::pair<const char*, Fault>, 6> faults{
    {{"none", Fault::none},
     {"wrong_key", Fault::wrong_key},
     {"wrong_address", Fault::wrong_address},
     {"wrong_gid", Fault::wrong_gid},
     {"larger_mtu", Fault::larger_mtu},
     {"empty_receive_queue", Fault::empty_receive_queue}}};

Case fault_drill(const CaseMaker& maker) {
  std::vector<std::string> words;
  for (const auto& [word, fault] : faults) words.emplace_back(word);
  Case made = maker.make(
      "fault_drill", "plants a fault and shows what the module reports of it: points fail, as they must",
      Headline::bandwidth_gb_per_s,
      {operation_axis({"write"}),
       bytes_axis(sizes({4096})),
       {"fault", "what is planted", Domain::words, {"none"}, words}},
      [](const CaseMaker& own, const Point& point) {
        Settings settings = settings_of(point);
        Fault planted = Fault::none;
        for (const auto& [word, fault] : faults)
          if (point.text("fault") == word) planted = fault;
        if (planted == Fault::empty_receive_queue) settings.message.operation = Operation::send;
        return std::make_unique<StreamTrial>(own.machine, *own.team, settings,
                                             Schedule{{{flow_between(0, 1, settings)}}}, planted);
      });
  made.min_sample_seconds = 2e-3;
  return made;
}

}  // namespace

std::vector<Case> pair_cases(const CaseMaker& maker) {
  return {latency(maker),      bandwidth(maker),          bidirectional(maker),
          message_rate(maker), latency_under_load(maker), error_dose(maker),
          fault_drill(maker)};
}

}  // namespace assay::rdma
