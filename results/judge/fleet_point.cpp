// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_point.hpp"

#include <algorithm>
#include <utility>

#include "results/points/link_state.hpp"
#include "results/store/measured_unit.hpp"

namespace assay::results {
namespace {

/// Of the query, in order.
namespace fleet_column {
enum : int { id, process, case_name, key, reason, samples, evidence };
}

std::string fleet_query() {
  return std::string("SELECT p.id, p.process, c.name, p.key, p.reason, p.samples_s, ") +
         point_evidence_columns +
         "FROM points p JOIN cases c ON c.id = p.case_id "
         "WHERE p.run = ?1 AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) "
         "ORDER BY p.process, p.sequence";
}

}  // namespace

std::string FleetPoint::peer() const {
  if (!case_name.starts_with("rdma.")) return {};
  const auto hosts = hosts_by_rank({}, evidence.ranks);
  const auto other_end = hosts.find(1);
  return other_end == hosts.end() ? std::string() : other_end->second;
}

/// An RDMA point names the adapter that it was measured on; "auto" is whichever the host chose.
PartIdentity part_identity_of(const FleetPoint& point) {
  const std::string &case_name = point.case_name, &key = point.key;
  const PointIdentity identity = identity_of(case_name, key);
  if (!identity.gpu.empty()) return {identity.gpu, "gpu" + identity.gpu, identity.metric};
  const std::size_t at = case_name.starts_with("rdma.") ? ("," + key).find(",device=") : std::string::npos;
  if (at == std::string::npos) return {"", "", identity.metric};
  const std::size_t begin = at + 7, end = std::min(key.find(',', begin), key.size());
  const std::string port = key.substr(begin, end - begin);
  if (port.empty() || port == "auto") return {"", "", identity.metric};
  std::string rest = key.substr(0, at) + key.substr(std::min(end + (at == 0 ? 1 : 0), key.size()));
  if (rest.ends_with(',')) rest.pop_back();
  return {"", port, rest.empty() ? case_name : case_name + "/" + rest};
}

FleetPoints::FleetPoints(const Store& store, std::string filter)
    : filter_(std::move(filter)), rows_(store.database().prepare(fleet_query())) {}

const FleetPoint* FleetPoints::next() {
  if (!rows_.step()) return nullptr;
  point_.id = rows_.integer(fleet_column::id);
  point_.process = rows_.integer(fleet_column::process);
  point_.case_name = rows_.text(fleet_column::case_name);
  point_.key = rows_.text(fleet_column::key);
  point_.reason = rows_.text(fleet_column::reason);
  point_.evidence = evidence_from(rows_, fleet_column::evidence);
  point_.samples_s = rows_.numbers(fleet_column::samples);
  return &point_;
}

}  // namespace assay::results
