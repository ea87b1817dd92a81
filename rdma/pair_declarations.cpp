// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/pair_declarations.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/error_dose.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Domain;
using core::Point;
using core::Value;

std::vector<Value> sizes(std::initializer_list<std::int64_t> bytes) { return {bytes.begin(), bytes.end()}; }

double bound_of(const Point& point) {
  const std::string& text = point.text("bound");
  char* end = nullptr;
  const double bound = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !(bound > 0 && bound < 1))
    core::usage_error(
        fmt::format("bound={}: expected a bit error rate between 0 and 1, such as 1e-12", text));
  return bound;
}

constexpr std::array<std::pair<const char*, Fault>, 6> faults{
    {{"none", Fault::none},
     {"wrong_key", Fault::wrong_key},
     {"wrong_address", Fault::wrong_address},
     {"wrong_gid", Fault::wrong_gid},
     {"larger_mtu", Fault::larger_mtu},
     {"empty_receive_queue", Fault::empty_receive_queue}}};

}  // namespace

std::vector<Axis> DeclaredLatency::axes() {
  return with_pair(
      {operation_axis({"write", "send", "read"}), bytes_axis(sizes({2, 64, 1024, 4096, 65536}))});
}

std::optional<std::string> DeclaredLatency::impossible(const VerbsPoint& at) {
  if (auto reason = DeclaredCase::impossible(at)) return reason;
  if (at.traffic.message.operation == Operation::write && at.traffic.posting.completion == Completion::events)
    return "a write completes nothing at its target: there is no event to wait for (write_imm has one)";
  return std::nullopt;
}

std::vector<Axis> DeclaredBandwidth::axes() {
  return with_round(
      joined({operation_axis({"write", "send", "read"}), bytes_axis(sizes({64, 4096, 65536, 1 << 20}))},
             posting_axes()));
}

std::vector<Axis> DeclaredBidirectional::axes() {
  return with_round(joined({operation_axis({"write"}), bytes_axis(sizes({65536, 1 << 20}))}, posting_axes()));
}

std::vector<Axis> DeclaredMessageRate::axes() {
  return with_round(
      joined({operation_axis({"write", "send"}), bytes_axis(sizes({8, 64}))}, posting_axes(4, 16)));
}

std::vector<Axis> DeclaredLatencyUnderLoad::axes() {
  return with_pair({operation_axis({"write"}),
                    bytes_axis(sizes({65536})),
                    {"load_percent", "share of the closed-loop message rate", Domain::integers,
                     sizes({10, 50, 80, 90, 95})},
                    {"tx_depth", "messages the queue pair holds before further ones wait", Domain::integers,
                     sizes({128})}});
}

DeclaredLatencyUnderLoad::Settings DeclaredLatencyUnderLoad::settings(const Point& point,
                                                                      const Surroundings& around) {
  const std::int64_t percent = point.integer("load_percent");
  if (percent < 1 || percent > 200)
    core::usage_error(fmt::format("load_percent={}: expected 1 to 200", percent));
  return {DeclaredCase::settings(point, around), static_cast<int>(percent)};
}

std::optional<std::string> DeclaredLatencyUnderLoad::impossible(const Settings& at) {
  if (auto reason = DeclaredCase::impossible(at)) return reason;
  if (at.traffic.posting.completion == Completion::events)
    return "an open loop posts by the clock: it cannot sleep until a completion's event";
  return std::nullopt;
}

std::vector<Axis> DeclaredErrorDose::axes() {
  return with_pair(joined({operation_axis({"write"}),
                           bytes_axis(sizes({1 << 20})),
                           {"bound", "bit error rate to prove, at 95 %", Domain::words, {"1e-12"}}},
                          posting_axes(2)));
}

DeclaredErrorDose::Settings DeclaredErrorDose::settings(const Point& point, const Surroundings& around) {
  return {DeclaredCase::settings(point, around), bound_of(point)};
}

double DeclaredErrorDose::seconds_needed(const Settings& at, const Surroundings& around) {
  constexpr double unknown_gbit_per_s = 0.2,
                   margin = 1.25;  // soft-RoCE reaches about that; the run shows its own rate
  double slowest = 0;
  for (const machine::Hca& hca : around.machine->hcas) {
    const auto rate = hca.software ? std::nullopt : link::parse_link_rate(hca.rate);
    const double gbit_per_s = rate ? rate->nominal_gbit_per_s : unknown_gbit_per_s;
    if (hca.state == "ACTIVE" && (slowest == 0 || gbit_per_s < slowest)) slowest = gbit_per_s;
  }
  return margin * link::seconds_to_prove(at.bound, slowest > 0 ? slowest : unknown_gbit_per_s);
}

std::vector<Axis> DeclaredFaultDrill::axes() {
  std::vector<std::string> words;
  for (const auto& [word, fault] : faults) words.emplace_back(word);
  return with_pair({operation_axis({"write"}),
                    bytes_axis(sizes({4096})),
                    {"fault", "what is planted", Domain::words, {"none"}, words}});
}

DeclaredFaultDrill::Settings DeclaredFaultDrill::settings(const Point& point, const Surroundings& around) {
  Settings made{DeclaredCase::settings(point, around)};
  for (const auto& [word, fault] : faults)
    if (point.text("fault") == word) made.planted = fault;
  return made;
}

std::optional<std::string> DeclaredFaultDrill::impossible(const Settings& at) {
  if (at.traffic.connect == Connect::rdma_cm)
    return "faults are planted into exchanged attributes, not into those of rdma_cm";
  return DeclaredCase::impossible(at);
}

std::vector<Axis> DeclaredConnectionRate::axes() {
  return with_pair({{"qps", "queue pairs connected at once", Domain::integers, sizes({1, 16, 64})},
                    {"tx_depth", "work requests that each holds", Domain::integers, sizes({128})}});
}

VerbsPoint DeclaredConnectionRate::settings(const Point& point, const Surroundings& around) {
  Point whole = point;
  whole.set("operation", "send").set("bytes", static_cast<std::int64_t>(proof_bytes));
  return DeclaredCase::settings(whole, around);
}

core::Work DeclaredConnectionRate::work(const VerbsPoint& at) {
  return {.operations = static_cast<double>(at.traffic.posting.qps),
          .bytes_counted = "none: connections are counted"};
}

std::optional<std::string> DeclaredConnectionRate::impossible(const VerbsPoint& at) {
  if (at.traffic.message.transport == Transport::ud) return "UD: a datagram queue pair has no connection";
  if (at.traffic.connect == Connect::rdma_cm) return "it counts connections by exchanged attributes alone";
  return DeclaredCase::impossible(at);
}

std::vector<core::Case> pair_declarations_cases(const Surroundings& around) {
  using core::declared_case;
  return {declared_case<DeclaredLatency>(around),          declared_case<DeclaredBandwidth>(around),
          declared_case<DeclaredBidirectional>(around),    declared_case<DeclaredMessageRate>(around),
          declared_case<DeclaredLatencyUnderLoad>(around), declared_case<DeclaredErrorDose>(around),
          declared_case<DeclaredFaultDrill>(around),       declared_case<DeclaredConnectionRate>(around)};
}

}  // namespace assay::rdma
