// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/link_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/core/names.hpp"
#include "harness/link/counter_deltas.hpp"
#include "rdma/traffic/patience.hpp"

namespace assay::rdma {
namespace {

std::vector<machine::Hca> own_port(const machine::Machine& machine, const Device& device) {
  std::vector<machine::Hca> ports;
  for (const machine::Hca& hca : machine.hcas)
    if (hca.device == device.name() && hca.port == device.port()) ports.push_back(hca);
  return ports;
}

std::optional<link::Link> own_link(const machine::Machine& machine, const Wiring& wiring) {
  const auto ports = own_port(machine, wiring.device());
  return ports.empty() ? std::nullopt : link::link_of(ports.front(), wiring.gid().index, wiring.mtu_bytes());
}

link::WireOperation on_the_wire(const Message& message) {
  if (message.transport == Transport::ud) return link::WireOperation::datagram;
  switch (message.operation) {
    case Operation::write:
      return link::WireOperation::write;
    case Operation::write_imm:
      return link::WireOperation::write_with_immediate;
    case Operation::send:
      return link::WireOperation::send;
    case Operation::read:
      return link::WireOperation::read;
    case Operation::fetch_add:
    case Operation::compare_swap:
      return link::WireOperation::atomic;
  }
  return link::WireOperation::write;
}

/// The largest sum of payload that enters or leaves one port. A read's payload runs against its flow.
double busiest_port_gb_per_s(const std::vector<FlowResult>& results, const std::vector<Flow>& flows) {
  std::map<std::pair<int, bool>, double> ports;  // rank, outgoing
  for (const FlowResult& result : results) {
    const Flow& flow = flows[result.flow];
    if (flow.probe) continue;
    const bool back = fetches(flow.message.operation);
    const double rate = result.gb_per_s(flow);
    ports[{flow.from, !back}] += rate;
    ports[{flow.to, back}] += rate;
  }
  double busiest = 0;
  for (const auto& [port, rate] : ports) busiest = std::max(busiest, rate);
  return busiest;
}

double fewest_bits(const std::vector<FlowResult>& results, const std::vector<Flow>& flows) {
  double fewest = std::numeric_limits<double>::infinity();
  for (const FlowResult& result : results) {
    double messages = 0;
    for (const std::int64_t posted : result.posted) messages += static_cast<double>(posted);
    if (!flows[result.flow].probe)
      fewest = std::min(fewest, 8 * messages * static_cast<double>(flows[result.flow].message.bytes));
  }
  return fewest;
}

}  // namespace

LinkWatch::LinkWatch(const machine::Machine& machine, const Wiring& wiring, const std::string& root)
    : wiring_(wiring), reader_(own_port(machine, wiring.device()), root), link_(own_link(machine, wiring)) {
  begin();  // a failure while warming up has its counters too
}

void LinkWatch::begin() {
  before_ = reader_.read();
  began_s_ = steady_seconds();
}

void LinkWatch::rethrow_with_counters() {
  end();
  const auto with_counters = [&](const core::Error& error) {
    return fmt::format("{}; counters of {}: {}", error.what(), wiring_.device().name(),
                       core::describe(report_));
  };
  try {
    throw;
  } catch (const core::Unsupported&) {
    throw;
  } catch (const team::PeerLost& lost) {
    throw team::PeerLost(lost.rank(), with_counters(lost), lost.code(), lost.where());
  } catch (const core::Error& error) {
    throw core::Error(error.kind(), with_counters(error), error.code(), error.where());
  }
}

double LinkWatch::busiest_gbit_per_s(const std::vector<FlowResult>& results) const {
  return 8 * busiest_port_gb_per_s(results, wiring_.flows());
}

void LinkWatch::end(double gbit_per_s) {
  seconds_ = steady_seconds() - began_s_;
  if (gbit_per_s <= 0 && link_) gbit_per_s = link_->data_rate_gbit_per_s;
  report_ = link::classify(link::counter_deltas(before_, reader_.read()),
                           {.gbit_per_s = gbit_per_s, .seconds = seconds_});
}

std::vector<core::Metric> LinkWatch::metrics(const std::vector<FlowResult>& results) const {
  const std::vector<Flow>& flows = wiring_.flows();
  const double busiest = busiest_port_gb_per_s(results, flows);
  std::vector<core::Metric> metrics{{core::names::port_gbit_per_s, "Gb/s", 8 * busiest}};
  if (link_) {
    const double ceiling =
        link::ceiling_gb_per_s(*link_, flows.front().message.bytes, on_the_wire(flows.front().message));
    metrics.push_back({core::names::ceiling_gbit_per_s, "Gb/s", 8 * ceiling});
    metrics.push_back({core::names::percent_of_ceiling, "%", 100 * busiest / ceiling});
  }
  if (const auto proven = dose(results))
    metrics.push_back({"bit_error_rate_below", "", link::error_rate_bound(proven->bits, proven->errors)});
  return metrics;
}

std::optional<link::ErrorDose> LinkWatch::dose(const std::vector<FlowResult>& results) const {
  const bool no_errors = report_.link_class < core::LinkClass::unknown;
  const double bits = fewest_bits(results, wiring_.flows());
  if (!no_errors || bits <= 0 || !std::isfinite(bits)) return std::nullopt;
  return link::ErrorDose{.bits = bits, .seconds = seconds_, .errors = 0};
}

std::vector<core::Fact> LinkWatch::facts() const {
  if (link_) return {};
  return {{"link_ceiling", "none: the rate of this device says nothing about its speed"}};
}

}  // namespace assay::rdma
