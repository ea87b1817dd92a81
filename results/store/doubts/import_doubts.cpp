// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/import_doubts.hpp"

#include <algorithm>
#include <variant>

namespace assay::results {
namespace {

std::string_view run_of_line(const JournalLine& line) {
  if (const auto* point = std::get_if<PointRow>(&line.record)) return point->run_id;
  return std::visit([](const auto& record) -> std::string_view { return record.run_id; },
                    *std::get<1>(line.record));
}

/// Records of a run that the store holds, those that a resume measured again included.
constexpr const char* doubted_records =
    "SELECT id, ok + unsupported + failed + wrong + timeout + "
    "(SELECT count(*) FROM superseded WHERE run = runs.id) + (SELECT count(*) FROM contexts WHERE run = "
    "runs.id) + "
    "(SELECT count(*) FROM ends WHERE run = runs.id) FROM runs WHERE run_id = ? "
    "AND id IN (SELECT run FROM doubts WHERE damage <> 0)";

}  // namespace

ImportDoubts::ImportDoubts(Database& database, std::span<const std::filesystem::path> paths)
    : database_(database), paths_(paths), journals_(paths.size()) {}

void ImportDoubts::count(Journal& journal, std::string_view run) {
  if (journal.last_run == run && !journal.records.empty()) {
    ++journal.records.find(run)->second;
    return;
  }
  journal.last_run = run;
  ++journal.records[journal.last_run];
  for (Fault& fault : journal.faults)
    if (fault.run.empty()) fault.run = run;
}

/// A fault is of the run before it; at the top of a journal, of the one behind it.
void ImportDoubts::see(const JournalBlock& block) {
  Journal& journal = journals_[block.journal];
  std::vector<Fault> faults;
  for (const JournalProblem& problem : block.problems) faults.push_back({"", problem, true});
  for (const JournalProblem& doubt : block.doubts) faults.push_back({"", doubt, false});
  std::ranges::stable_sort(faults, {}, [](const Fault& fault) { return fault.problem.line; });
  auto next = faults.begin();
  const auto add_next = [&] {
    next->run = journal.last_run;
    journal.faults.push_back(std::move(*next++));
  };
  for (const JournalLine& line : block.lines) {
    while (next != faults.end() && next->problem.line < line.number) add_next();
    count(journal, run_of_line(line));
  }
  while (next != faults.end()) add_next();
}

void ImportDoubts::keep(const Journal& journal, const std::filesystem::path& path) {
  if (journal.faults.empty()) return;
  Statement insert = database_.prepare(
      "INSERT OR IGNORE INTO doubts (run, journal, line, damage, what) "
      "VALUES ((SELECT id FROM runs WHERE run_id = ?), ?, ?, ?, ?)");
  for (const Fault& fault : journal.faults)
    insert.bind(fault.run, path.string(), std::int64_t{fault.problem.line}, fault.damage, fault.problem.what)
        .run();
}

/// A journal without damage that holds all the store knows of a run is what the damaged one was. What it may
/// lack beyond that shows in its numbers: see run_doubts.hpp.
void ImportDoubts::forget_damage(const Journal& journal, const std::filesystem::path& path) {
  if (std::ranges::any_of(journal.faults, &Fault::damage)) return;
  database_.prepare("DELETE FROM doubts WHERE run IS NULL AND damage <> 0 AND journal = ?")
      .bind(path.string())
      .run();
  Statement held = database_.prepare(doubted_records);
  Statement forget = database_.prepare("DELETE FROM doubts WHERE run = ? AND damage <> 0");
  for (const auto& [run, records] : journal.records)
    if (held.bind(run).step() && held.integer(1) == records) forget.bind(held.integer(0)).run();
}

void ImportDoubts::finish() {
  for (std::size_t i = 0; i < journals_.size(); ++i) keep(journals_[i], paths_[i]);
  if (database_.single_integer("SELECT count(*) FROM doubts WHERE damage <> 0") == 0) return;
  for (std::size_t i = 0; i < journals_.size(); ++i) forget_damage(journals_[i], paths_[i]);
}

}  // namespace assay::results
