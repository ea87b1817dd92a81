// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/remove_run.hpp"

#include "harness/core/text/json_from.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/secrets.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

/// Those of `more_metrics` first: they name points.
constexpr const char* deletions[] = {
    "DELETE FROM more_metrics WHERE point IN (SELECT id FROM points WHERE run = ?)",
    "DELETE FROM points WHERE run = ?",
    "DELETE FROM superseded WHERE run = ?",
    "DELETE FROM contexts WHERE run = ?",
    "DELETE FROM ends WHERE run = ?",
    "DELETE FROM doubts WHERE run = ?",
    "DELETE FROM case_ranges WHERE run = ?",
    "DELETE FROM run_cases WHERE run = ?",
    "DELETE FROM runs WHERE id = ?"};

constexpr const char* records_of_run =
    "SELECT (SELECT count(*) FROM points WHERE run = ?1) + (SELECT count(*) FROM superseded WHERE run = ?1) "
    "+ "
    "(SELECT count(*) FROM contexts WHERE run = ?1) + (SELECT count(*) FROM ends WHERE run = ?1)";

}  // namespace

std::int64_t remove_runs(Store& store, std::span<const std::string> runs) {
  std::vector<std::int64_t> ids;
  for (const std::string& run : runs) {
    // find_run() takes these for the latest run; a removal names its run.
    if (run.empty() || run == "latest")
      throw NoRun("store " + store.path().string() + ": expected the id of a run to remove, got '" + run +
                  "'");
    ids.push_back(find_run(store, run).id);
  }
  Database& database = store.writable_database();
  database.execute("PRAGMA secure_delete = ON");
  Transaction transaction(database);
  std::int64_t records = 0;
  for (const std::int64_t id : ids) {
    records += database.prepare(records_of_run).bind(id).single_integer();
    for (const char* deletion : deletions) database.prepare(deletion).bind(id).run();
  }
  database.execute("DELETE FROM cases WHERE id NOT IN (SELECT case_id FROM run_cases)");
  transaction.commit();
  return records;
}

std::vector<std::string> secrets_of_runs(const Store& store, std::span<const std::string> runs) {
  const std::vector<StoredRun> chosen = chosen_runs(store, runs);
  std::vector<std::string> found;
  Statement contexts =
      store.database().prepare("SELECT host, record FROM contexts WHERE run = ? ORDER BY id");
  for (const StoredRun& run : chosen) {
    contexts.bind(run.id);
    while (contexts.step()) {
      auto context =
          std::get<ContextRecord>(from_json(core::json_from<nlohmann::ordered_json>(contexts.text(1))));
      for (const std::string& where : take_out_secrets(context))
        found.push_back("run " + run.run_id + ": " + where + " of host " + contexts.text(0));
    }
  }
  return found;
}

}  // namespace assay::results
