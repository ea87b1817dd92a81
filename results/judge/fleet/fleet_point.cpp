// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_point.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "harness/core/names.hpp"
#include "results/points/link_state.hpp"
#include "results/points/point_outline.hpp"
#include "results/store/measured_unit.hpp"

namespace assay::results {
namespace {

/// Columns of fleet_query(), in order.
namespace fleet_column {
enum : int { id, process, case_name, key, reason, samples, evidence };
}

std::string rail_text(const Fields& facts) {
  const auto rail = field_integer(facts, {core::names::rail});
  return rail ? std::to_string(*rail) : "";
}

std::string fleet_query() {
  return std::string("SELECT p.id, p.process, c.name, p.key, p.reason, p.samples_s, ") +
         point_evidence_columns +
         "FROM points p JOIN cases c ON c.id = p.case_id "
         "WHERE p.run = ?1 AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) "
         "AND (?3 = '' OR c.name GLOB ?3) "
         "ORDER BY p.process, p.sequence";
}

/// Both directions of a pair: the slower one counts.
struct Rates {
  double slowest_gb_per_s = std::numeric_limits<double>::infinity();
  int flows = 0;

  void add(double gb_per_s) {
    slowest_gb_per_s = std::min(slowest_gb_per_s, gb_per_s);
    ++flows;
  }
  /// For the bytes of a pair in an iteration; infinite where a flow moved nothing.
  double time_s(double bytes) const { return bytes * 1e-9 / (slowest_gb_per_s * std::max(flows, 1)); }
};

}  // namespace

std::map<int, LinkEnd> FleetPoint::ends_by_rank() const {
  std::map<int, LinkEnd> ends;
  const auto add = [&](int rank, const std::string& host, const std::string& rail) {
    if (!host.empty()) ends[rank] = {host, rail.empty() ? "" : "rail" + rail};
  };
  add(0, std::string(field_in(evidence.conditions, core::names::host)),
      std::string(field_in(evidence.conditions, core::names::rail)));
  for (const RankReport& rank : evidence.ranks)
    add(rank.rank, field_text(rank.facts, {core::names::host}), rail_text(rank.facts));
  return ends;
}

std::string FleetPoint::address_of(int rank) const {
  if (rank == 0) return address_of_gid(field_in(evidence.conditions, core::names::gid));
  const auto own = std::ranges::find(evidence.ranks, rank, &RankReport::rank);
  return own == evidence.ranks.end() ? "" : address_of_gid(field_text(own->facts, {core::names::gid}));
}

std::optional<PointDoubt> FleetPoint::doubt_about_link(const MeasuredLink& link) const {
  PointEvidence own = evidence;
  const auto is_own = [&](const LinkReport& report) {
    return report.rank == link.one_rank || report.rank == link.other_rank;
  };
  const auto first = std::ranges::find_if(evidence.links, is_own);
  if (first != evidence.links.end())
    for (LinkReport& report : own.links)
      if (const int rank = report.rank; !is_own(report)) report = *first, report.rank = rank;
  return doubt_about(own, samples_s);
}

bool FleetPoint::fetches() const { return ("," + key + ",").find(",operation=read,") != std::string::npos; }

bool FleetPoint::pairs_ran_apart() const {
  const auto ranks = [](const FlowReport& flow) { return std::minmax({flow.from, flow.to}); };
  return std::ranges::all_of(
             evidence.flows,
             [&](const auto& flow) { return ranks(flow) == ranks(evidence.flows.front()); }) ||
         field_in(evidence.conditions, core::names::pairs_apart) == "yes";
}

std::vector<MeasuredLink> FleetPoint::links() const {
  if (!case_name.starts_with("rdma.")) return {};
  const std::map<int, LinkEnd> ends = ends_by_rank();
  std::map<std::pair<int, int>, Rates> pairs;
  for (const FlowReport& flow : evidence.flows)
    pairs[std::minmax({flow.from, flow.to})].add(flow.gb_per_s.value_or(0));
  if (pairs.empty()) pairs[{0, 1}] = {};
  if (!pairs_ran_apart()) pairs = {{{0, 1}, {}}};
  std::vector<MeasuredLink> links;
  for (const auto& [ranks, rates] : pairs) {
    const auto one = ends.find(ranks.first), other = ends.find(ranks.second);
    if (one == ends.end() || other == ends.end() || one->second.host == other->second.host) continue;
    const double time_s = pairs.size() == 1 ? evidence.time_s : rates.time_s(evidence.work_bytes);
    if (time_s > 0 || evidence.status != Status::ok)
      links.push_back({one->second, other->second, time_s, ranks.first, ranks.second});
  }
  return links;
}

std::string link_metric_of(const FleetPoint& point) {
  std::string rest;
  std::istringstream axes(point.key);
  for (std::string axis; std::getline(axes, axis, ',');)
    if (!axis.starts_with("round=")) rest += (rest.empty() ? "" : ",") + axis;
  return rest.empty() ? point.case_name : point.case_name + "/" + rest;
}

/// An RDMA point names the adapter that it was measured on; "auto" is whichever the host chose.
PartIdentity part_identity_of(const std::string& case_name, const std::string& key) {
  const PointIdentity identity = identity_of(case_name, key);
  if (!identity.gpu.empty()) return {identity.gpu, "gpu" + identity.gpu, identity.metric};
  const std::size_t at = case_name.starts_with("rdma.") ? ("," + key).find(",device=") : std::string::npos;
  if (at == std::string::npos) return {"", "", identity.metric};
  const std::size_t begin = at + 7, end = std::min(key.find(',', begin), key.size());
  const std::string port = key.substr(begin, end - begin);
  if (port.empty() || port == "auto") return {"", "", identity.metric};
  const std::string rest =
      at == 0 ? key.substr(std::min(end + 1, key.size())) : key.substr(0, at - 1) + key.substr(end);
  return {"", port, rest.empty() ? case_name : case_name + "/" + rest};
}

FleetPoints::FleetPoints(const Store& store, std::string filter, std::string cases)
    : filter_(std::move(filter)),
      cases_(std::move(cases)),
      any_cases_(cases_.empty() || has_cases(store, cases_)),
      rows_(store.database().prepare(fleet_query())) {}

void FleetPoints::begin(const StoredRun& run) { rows_.bind(run.id, filter_, cases_); }

const FleetPoint* FleetPoints::next() {
  if (!any_cases_ || !rows_.step()) return nullptr;
  point_.id = rows_.integer(fleet_column::id);
  point_.process = rows_.integer(fleet_column::process);
  point_.case_name = rows_.view(fleet_column::case_name);
  point_.key = rows_.view(fleet_column::key);
  point_.reason = rows_.view(fleet_column::reason);
  read_evidence(rows_, fleet_column::evidence, point_.evidence);
  rows_.numbers(fleet_column::samples, point_.samples_s);
  return &point_;
}

}  // namespace assay::results
