// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/digests.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/in_order.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

constexpr const char* query_text =
    "SELECT p.id, p.process, c.name, p.key, p.status, p.reason, "
    "json_extract(p.record, '$.verification.digest'), json_extract(p.record, '$.conditions.library'), "
    "json_extract(p.record, '$.conditions.algorithm') "
    "FROM case_ranges r JOIN cases c ON c.id = r.case_id "
    "JOIN points p ON p.id BETWEEN r.first_point AND r.last_point "
    "WHERE r.run = ?1 AND c.name GLOB ?2 ORDER BY p.id";

std::string joined_words(std::initializer_list<std::string> words) {
  std::string all;
  for (const std::string& word : words)
    if (!word.empty()) all += (all.empty() ? "" : ", ") + word;
  return all;
}

using Groups = core::InOrder<std::pair<std::string, std::string>, DigestGroup>;  // by point and hardware

void add_digest(Groups& groups, const ContextRecord& context, const Statement& row) {
  const auto status = static_cast<Status>(row.integer(4));
  if (status == Status::unsupported) return;
  const PointIdentity identity = identity_of(row.text(2), row.text(3));
  const std::string hardware =
      joined_words({hardware_of(context.machine, identity.gpu), row.text(7), row.text(8),
                    "assay " + context.assay_version, to_string(context.origin)});
  DigestGroup& group = groups[{identity.metric, hardware}];
  if (group.point.empty())
    group = {identity.metric, hardware, identity.gpu.empty() ? "host" : "gpu", to_string(context.origin)};
  group.add({identity.unit(context.host), row.text(6), status, row.text(5), row.integer(0)});
}

}  // namespace

void DigestGroup::add(UnitDigest digest) {
  if (digest.digest.empty()) return void(without_.insert(digest.unit));
  by_unit_[digest.unit].insert(digest.digest);
  by_digest_[digest.digest].insert(digest.unit);
  digests_.push_back(std::move(digest));
}

std::size_t DigestGroup::agreeing(const std::string& digest) const {
  const auto found = by_digest_.find(digest);
  return found == by_digest_.end() ? 0 : found->second.size();
}

std::optional<std::string> DigestGroup::majority() const {
  for (const auto& [digest, units_of] : by_digest_)
    if (units_of.size() >= fewest_agreeing && 2 * units_of.size() > units()) return digest;
  return std::nullopt;
}

DigestVerdict verdict_of(const DigestGroup& group, const UnitDigest& digest) {
  const std::optional<std::string> majority = group.majority();
  if (majority && digest.digest == *majority) return DigestVerdict::agrees;
  if (majority || group.changing(digest.unit)) return DigestVerdict::differs;
  return DigestVerdict::not_judged;
}

std::string explain(const DigestGroup& group, const UnitDigest& digest) {
  const std::optional<std::string> majority = group.majority();
  switch (verdict_of(group, digest)) {
    case DigestVerdict::agrees:
      return fmt::format("agrees with {} equals", group.agreeing(digest.digest) - 1);
    case DigestVerdict::differs:
      if (!majority) return "differs from its own of another time";
      return fmt::format("differs from {} agreeing equals", group.agreeing(*majority));
    case DigestVerdict::not_judged:
      break;
  }
  if (group.units() <= fewest_agreeing)
    return fmt::format("not judged: {} equals, {} are needed", group.units() - 1, fewest_agreeing);
  return "not judged: no majority among equals";
}

std::vector<DigestGroup> digest_groups(const Store& store, const std::vector<StoredRun>& runs,
                                       const std::string& cases) {
  if (!has_cases(store, cases)) return {};
  Groups groups;
  Statement rows = store.database().prepare(query_text);
  for (const StoredRun& run : runs) {
    if (!rows.bind(run.id, cases).step()) continue;
    const auto contexts = contexts_by_process(store, run);
    do {
      if (const auto context = contexts.find(rows.integer(1)); context != contexts.end())
        add_digest(groups, context->second, rows);
    } while (rows.step());
  }
  std::vector<DigestGroup> all;
  for (auto& [key, group] : groups.take()) all.push_back(std::move(group));
  return all;
}

}  // namespace assay::results
