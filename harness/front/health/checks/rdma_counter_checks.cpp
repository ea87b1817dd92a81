// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA ports: what their counters say of the window, which of them should be there, and their values
// before. What each counter means: harness/link.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/checks/movement.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/classify.hpp"

namespace assay::health {
namespace {

double nominal_gbit_per_s_of(const Scene& scene, const std::string& device, int port) {
  for (const machine::Hca& hca : scene.now.hcas)
    if (const auto rate = link::parse_link_rate(hca.rate); rate && hca.device == device && hca.port == port)
      return rate->nominal_gbit_per_s;
  return 0;
}

void add_link_class(const core::LinkReport& link, const std::string& unit, Findings& findings) {
  const std::string evidence = core::describe(link);
  switch (link.link_class) {
    case core::LinkClass::clean:
      return findings.passed(unit, evidence);
    case core::LinkClass::congested:
      return findings.add(Status::noticed, unit, evidence,
                          {"the fabric was busy: no fault by itself", Action::monitor});
    case core::LinkClass::unknown:
      return findings.unknown(unit, evidence);
    case core::LinkClass::lossy:
      return findings.add(Status::failed, unit, evidence, {"packets were lost and sent again", Action::drain},
                          true);
    case core::LinkClass::faulty:
      return findings.add(Status::failed, unit, evidence,
                          {"the link or its port has a fault", Action::reseat}, true);
  }
}

/// Counters of one port from one reading to the other.
std::map<std::pair<std::string, int>, std::vector<link::CounterDelta>> by_port(const Scene& scene) {
  std::map<std::pair<std::string, int>, std::vector<link::CounterDelta>> ports;
  for (const link::CounterDelta& delta : link::counter_deltas(scene.before.ports, scene.now.ports))
    ports[{delta.device, delta.port}].push_back(delta);
  return ports;
}

/// Linux 6.11 and NVIDIA's own driver count requests that were given up
/// (drivers/infiniband/hw/mlx5/counters.c); earlier kernels need not. Without a known release, the counter
/// is expected.
bool counts_given_up_requests(const std::string& kernel_release) {
  int major = 0, minor = 0;
  char dot = 0;
  std::istringstream text(kernel_release);
  if (!(text >> major >> dot >> minor)) return true;
  constexpr int from_major = 6, from_minor = 11;
  return major > from_major || (major == from_major && minor >= from_minor);
}

bool speaks_of_loss(const link::CounterName& name) {
  const link::CounterFact* fact = link::find_counter(name.source, name.name);
  return fact != nullptr && fact->speaks_for >= core::LinkClass::lossy;
}

/// Adds counters of loss of other ports of the same part: one driver and one kind of adapter count the same.
void add_counters_of_equals(const Scene& scene, const machine::Hca& hca, std::set<std::string>& wanted) {
  for (const machine::Hca& other : scene.now.hcas) {
    if (other.part != hca.part || other.link_layer != hca.link_layer || other.software) continue;
    for (const link::PortCounters& port : scene.now.ports)
      if (port.device == other.device && port.port == other.port)
        for (const auto& [name, value] : port.values)
          if (speaks_of_loss(name)) wanted.insert(name.name);
  }
}

/// Counters of loss and fault that the port should have and has not: what is not counted can show nothing.
std::vector<std::string> missing_counters(const Scene& scene, const machine::Hca& hca,
                                          const std::vector<link::CounterDelta>& deltas) {
  std::set<std::string> wanted{"out_of_sequence", "packet_seq_err", "implied_nak_seq_err",
                               "local_ack_timeout_err", "duplicate_request"};
  if (counts_given_up_requests(scene.now.kernel_release)) wanted.insert("req_transport_retries_exceeded");
  for (const link::CounterFact& fact : link::port_counter_facts())
    if (fact.speaks_for >= core::LinkClass::lossy) wanted.emplace(fact.name);
  add_counters_of_equals(scene, hca, wanted);
  for (const std::string& absent : scene.expected.absent_counters) wanted.erase(absent);
  for (const link::CounterDelta& delta : deltas) wanted.erase(delta.counter.name);
  return {wanted.begin(), wanted.end()};
}

/// A counter that wraps may pass through all ones, but does not stay there.
bool stands_full(const link::CounterDelta& delta) {
  if (delta.fact == nullptr || delta.counter.name.empty()) return false;
  if (delta.after > link::full(*delta.fact)) return true;
  return delta.after == link::full(*delta.fact) && delta.after == delta.before;
}

std::vector<std::string> full_counters(const std::vector<link::CounterDelta>& deltas) {
  std::vector<std::string> full;
  for (const link::CounterDelta& delta : deltas)
    if (stands_full(delta)) full.push_back(fmt::format("{} ({})", delta.counter.name, delta.after));
  return full;
}

void judge_port_counters(const Scene& scene, const machine::Hca& hca,
                         const std::vector<link::CounterDelta>& deltas, Findings& findings) {
  if (const auto missing = missing_counters(scene, hca, deltas); !hca.software && !missing.empty())
    findings.unknown(unit_of(hca), fmt::format("not counted: {}", fmt::join(missing, ", ")));
  if (const auto full = full_counters(deltas); !full.empty())
    findings.unknown(unit_of(hca), fmt::format("full, or not read: {}", fmt::join(full, ", ")));
  add_link_class(link::classify(deltas, {.gbit_per_s = nominal_gbit_per_s_of(scene, hca.device, hca.port),
                                         .seconds = window_s(scene),
                                         .adaptive_routing = scene.expected.adaptive_routing}),
                 unit_of(hca), findings);
}

void judge_every_port(const Scene& scene, Findings& findings) {
  if (no_hca(scene, findings)) return;
  const auto ports = by_port(scene);
  for (const machine::Hca& hca : scene.now.hcas) {
    findings.limit_to(worst_for(scene, hca));
    const auto found = ports.find({hca.device, hca.port});
    if (found == ports.end())
      findings.unknown(unit_of(hca), "its counters could not be read when the window began");
    else
      judge_port_counters(scene, hca, found->second, findings);
  }
}

/// The values of fault counters when the window began: from bring-up, or from a time without checks.
void judge_history(const Scene& scene, Findings& findings) {
  if (no_hca(scene, findings)) return;
  for (const auto& [port, deltas] : by_port(scene)) {
    std::vector<std::string> standing;
    for (const link::CounterDelta& delta : deltas)
      if (delta.fact != nullptr && delta.fact->speaks_for == core::LinkClass::faulty && delta.before > 0)
        standing.push_back(fmt::format("{} {}{}", delta.counter.name, delta.before,
                                       delta.before == link::full(*delta.fact) ? " (full)" : ""));
    const std::string unit = fmt::format("{}/{}", port.first, port.second);
    if (standing.empty())
      findings.passed(unit, "no fault counted before this window");
    else
      findings.add(Status::noticed, unit, fmt::format("{}", fmt::join(standing, ", ")),
                   {"counted before this window: bring-up, or a time without checks", Action::monitor});
  }
}

constexpr Check listed_rdma_counter_checks[] = {
    {"rdma.counters", "counters of a port in the window: clean, congested, lossy, faulty", judge_every_port},
    {"rdma.history", "faults that a port counted before the window", judge_history},
};

}  // namespace

std::span<const Check> rdma_counter_checks() { return listed_rdma_counter_checks; }

}  // namespace assay::health
