// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hosts that cannot be judged as equals, whatever they measured: machines that are two, or one under two
// names, and hosts whose inventory of GPUs does not fit what it was before or what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "harness/core/text/json_from.hpp"
#include "results/judge/judges.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

using InventoryJson = nlohmann::ordered_json;

/// The GPUs of a host as one of its records lists them.
struct Inventory {
  std::vector<std::string> kinds;  // what each is an equal of
  std::vector<std::size_t> without_uuid;
  bool any_uuid = false;
};

Inventory inventory_in(const InventoryJson& machine) {
  Inventory inventory;
  if (!machine.is_object() || !machine.contains("gpus") || !machine["gpus"].is_array()) return inventory;
  for (std::size_t gpu = 0; gpu < machine["gpus"].size(); ++gpu) {
    inventory.kinds.push_back(equals_of(machine, std::to_string(gpu)));
    const auto& one = machine["gpus"][gpu];
    const bool known =
        one.is_object() && one.contains("uuid") && one["uuid"].is_string() && one["uuid"] != "";
    if (!known) inventory.without_uuid.push_back(gpu);
    inventory.any_uuid = inventory.any_uuid || known;
  }
  return inventory;
}

using Inventories = std::map<std::string, std::vector<Inventory>>;  // those of a host that differ in text

Inventories all_inventories(const Store& store) {
  Inventories all;
  Statement rows = store.database().prepare(
      "SELECT DISTINCT host, json_extract(record, '$.machine') FROM contexts ORDER BY host, id");
  while (rows.step()) {
    const std::string text = rows.is_null(1) ? "{}" : rows.text(1);
    all[rows.text(0)].push_back(inventory_in(core::json_or_discarded<InventoryJson>(text)));
  }
  return all;
}

/// The number of the GPU in keys of points and one, 0 where they name none. Few keys differ in a fleet.
class GpuNumbers {
 public:
  explicit GpuNumbers(const Store& store) {
    Statement rows = store.database().prepare("SELECT id, name FROM cases");
    while (rows.step()) cases_.emplace(rows.integer(0), rows.text(1));
  }

  std::size_t end_of(std::int64_t of_case, std::string_view key) {
    constexpr std::size_t most_kept = 65536;
    if (key.find("gpu=") == std::string_view::npos) return 0;
    auto& known = ends_[of_case];
    key_ = key;
    if (const auto found = known.find(key_); found != known.end()) return found->second;
    if (known.size() == most_kept) known.clear();
    return known.emplace(key_, read(of_case)).first->second;
  }

 private:
  std::size_t read(std::int64_t of_case) const {
    const std::string gpu = identity_of(cases_.at(of_case), key_).gpu;
    if (gpu.empty() || gpu.size() > 6 || gpu.find_first_not_of("0123456789") != std::string::npos) return 0;
    return static_cast<std::size_t>(std::stoul(gpu)) + 1;
  }

  std::string key_;
  std::map<std::int64_t, std::string> cases_;
  std::unordered_map<std::int64_t, std::unordered_map<std::string, std::size_t>> ends_;
};

/// How many GPUs, the highest number and one, were measured by each host. GPUs in the middle that were not
/// are seen elsewhere.
std::map<std::string, std::size_t> gpus_measured(const Store& store) {
  std::map<std::string, std::size_t> measured;
  GpuNumbers numbers(store);
  Statement contexts = store.database().prepare("SELECT host, run, process FROM contexts");
  Statement points = store.database().prepare(
      "SELECT case_id, key FROM points INDEXED BY points_in_order WHERE run = ? AND process = ?");
  while (contexts.step()) {
    std::size_t end = 0;
    points.bind(contexts.integer(1), contexts.integer(2));
    while (points.step()) end = std::max(end, numbers.end_of(points.integer(0), points.view(1)));
    if (end == 0) continue;
    std::size_t& most = measured[contexts.text(0)];
    most = std::max(most, end);
  }
  return measured;
}

std::string kind_text(const std::string& kind) { return kind.empty() ? "of no known kind" : kind; }

/// The first GPU that is another one in two of the host's records; a record without GPUs says nothing of
/// them.
std::string change_in(const std::vector<Inventory>& inventories) {
  const Inventory* before = nullptr;
  for (const Inventory& now : inventories) {
    if (now.kinds.empty()) continue;
    if (before == nullptr) before = &now;
    if (now.kinds.size() != before->kinds.size())
      return fmt::format("it has {} GPUs in one of its records and {} in another", before->kinds.size(),
                         now.kinds.size());
    const auto [one, other] = std::ranges::mismatch(before->kinds, now.kinds);
    if (one != before->kinds.end())
      return fmt::format("its GPU {} is '{}' in one of its records and '{}' in another",
                         one - before->kinds.begin(), kind_text(*one), kind_text(*other));
  }
  return "";
}

/// A record without GPUs, where others have them, is of a process that measured none.
std::size_t most_listed(const std::vector<Inventory>& inventories) {
  std::size_t most = 0;
  for (const Inventory& one : inventories) most = std::max(most, one.kinds.size());
  return most;
}

std::string unknown_in(const std::vector<Inventory>& inventories) {
  for (const Inventory& one : inventories)
    if (!one.without_uuid.empty())
      return fmt::format("its GPU {} has no UUID, and others have one", one.without_uuid.front());
  return "";
}

/// Processes that measured GPUs and list none, where other records of their host do.
constexpr const char* silent_query =
    "SELECT DISTINCT x.host FROM contexts x WHERE ifnull(json_array_length(x.record, '$.machine.gpus'), 0) = "
    "0 "
    "AND EXISTS (SELECT 1 FROM points p INDEXED BY points_in_order WHERE p.run = x.run AND "
    "p.process = x.process AND p.status = 0 AND (p.key GLOB 'gpu=*' OR p.key GLOB '*,gpu=*'))";

/// One line for each host whose GPUs changed their size from one record to another, that measured GPUs which
/// its inventory does not have, or whose GPUs have no UUID where others have one.
std::vector<std::string> doubtful_inventories_of(const Store& store) {
  const Inventories all = all_inventories(store);
  const bool any_uuid = std::ranges::any_of(
      all, [](const auto& host) { return std::ranges::any_of(host.second, &Inventory::any_uuid); });
  std::vector<std::string> doubts;
  const auto doubt = [&](const std::string& host, const std::string& what) {
    if (!what.empty()) doubts.push_back(fmt::format("host {}: {}", host, what));
  };
  for (const auto& [host, inventories] : all) {
    doubt(host, change_in(inventories));
    if (any_uuid) doubt(host, unknown_in(inventories));
  }
  for (const auto& [host, measured] : gpus_measured(store))
    if (const std::size_t listed = most_listed(all.at(host)); listed > 0 && measured > listed)
      doubt(host,
            fmt::format("its GPU {} was measured, and its inventory has {} GPUs", measured - 1, listed));
  Statement silent = store.database().prepare(silent_query);
  while (silent.step()) doubt(silent.text(0), "a process of it measured GPUs, and its record lists none");
  return doubts;
}

void add_doubts(Verdicts& doubts, const std::vector<std::string>& lines, const std::string& meaning) {
  for (const std::string& line : lines)
    doubts.rows.push_back({.kind = "host",
                           .metric = "records",
                           .verdict = Verdict::inconclusive,
                           .because = line,
                           .meaning = meaning,
                           .action = Action::retest});
}

std::vector<Judged> judge_hosts(const Evidence& evidence) {
  const Store& store = evidence.store;
  Verdicts doubts{.command = "accept", .subject = "hosts that cannot be judged as equals"};
  const char* const two =
      "what one machine measured says nothing of another; judge the runs of one of them, in a store of their "
      "own";
  add_doubts(doubts, overlaps_of(store), two);
  add_doubts(doubts, exchanged_parts_of(store), two);
  add_doubts(doubts, shared_parts_of(store), "one machine cannot vouch for itself under another name");
  add_doubts(doubts, doubtful_inventories_of(store),
             "equals are equal by inventory, and this one does not hold together");
  if (doubts.rows.empty()) return {};
  settle(doubts);
  return {{.verdicts = std::move(doubts)}};
}

}  // namespace

Judge hosts_judge() { return {"hosts", {}, judge_hosts, true}; }

}  // namespace assay::results
