// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/run_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "harness/core/names.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

/// Contents of a store that belong to one process of a run.
struct HeldProcess {
  bool has_context = false, resumed = false, in_burn_in = false;
  std::string module, host;
  std::vector<std::int64_t> ends;  // the points that each end record counts
  bool ended = false;              // by an end that was not an interrupt
  std::string end_of_module;       // another than its context's
  std::int64_t bare = 0;           // measured points that hold no samples
  std::int64_t points = 0, unmeasured = 0, first = 0, last = -1;

  /// Rank 0 of the other modules is on a node of the launcher's.
  bool runs_where_started() const { return has_context && !core::takes_ranks(module); }
  std::string name(std::int64_t number) const {
    return module.empty() ? fmt::format("process {}", number)
                          : fmt::format("process {} ({})", number, module);
  }
};

using HeldRun = std::map<std::int64_t, HeldProcess>;  // by process

/// Runs by their id in the store.
using HeldRuns = std::map<std::int64_t, HeldRun>;

constexpr const char* of_that_run = "(?1 = 0 OR run = ?1)";

void hold_contexts(const Database& database, std::int64_t run, HeldRuns& held) {
  Statement rows = database.prepare(fmt::format(
      "SELECT run, process, module, host, resumed, json_extract(record, '$.environment.ASSAY_BURN_IN') "
      "FROM contexts WHERE {} ORDER BY run, process",
      of_that_run));
  rows.bind(run);
  while (rows.step()) {
    HeldProcess& process = held[rows.integer(0)][rows.integer(1)];
    process.has_context = true;
    process.module = rows.text(2);
    process.host = rows.text(3);
    process.resumed = rows.integer(4) != 0;
    process.in_burn_in = !rows.is_null(5);
  }
}

void hold_ends(const Database& database, std::int64_t run, HeldRuns& held) {
  Statement rows = database.prepare(fmt::format(
      "SELECT run, process, points, interrupted, module FROM ends WHERE {} ORDER BY id", of_that_run));
  rows.bind(run);
  while (rows.step()) {
    HeldProcess& process = held[rows.integer(0)][rows.integer(1)];
    process.ends.push_back(rows.integer(2));
    process.ended = process.ended || rows.integer(3) == 0;
    if (process.has_context && rows.text(4) != process.module) process.end_of_module = rows.text(4);
  }
}

void hold_points(const Database& database, std::int64_t run, HeldRuns& held) {
  for (const char* table :
       {"points INDEXED BY points_in_order", "superseded INDEXED BY superseded_in_order"}) {
    Statement rows = database.prepare(
        fmt::format("SELECT run, process, count(*), min(sequence), max(sequence) FROM {} WHERE {} "
                    "GROUP BY run, process",
                    table, of_that_run));
    rows.bind(run);
    while (rows.step()) {
      HeldProcess& process = held[rows.integer(0)][rows.integer(1)];
      const bool first = process.points == 0;
      process.first = first ? rows.integer(3) : std::min(process.first, rows.integer(3));
      process.last = std::max(process.last, rows.integer(4));
      process.points += rows.integer(2);
    }
  }
  // Points that a supervisor wrote for a process that could not: write_beside_module in harness/front/suite.
  Statement rows = database.prepare(fmt::format(
      "SELECT run, process, count(*) FROM points INDEXED BY points_not_ok WHERE status <> 0 AND {} "
      "AND time_s IS NULL GROUP BY run, process",
      of_that_run));
  rows.bind(run);
  while (rows.step()) held[rows.integer(0)][rows.integer(1)].unmeasured = rows.integer(2);
}

/// Counts points without samples. Where no point of the store holds samples its journals were made without;
/// where some do, the others lost them.
void hold_bare_points(const Database& database, std::int64_t run, HeldRuns& held) {
  constexpr const char* bare = "FROM points WHERE status = 0 AND n > 0 AND samples_s IS NULL";
  const std::int64_t of_all = database.single_integer(fmt::format("SELECT count(*) {}", bare));
  if (of_all == 0 || of_all >= database.single_integer("SELECT sum(ok) FROM runs")) return;
  if (database.single_integer("SELECT EXISTS (SELECT 1 FROM points WHERE samples_s IS NOT NULL)") == 0)
    return;
  Statement rows = database.prepare(
      fmt::format("SELECT run, process, count(*) {} AND {} GROUP BY run, process", bare, of_that_run));
  rows.bind(run);
  while (rows.step()) held[rows.integer(0)][rows.integer(1)].bare = rows.integer(2);
}

HeldRuns held_runs_of(const Store& store, std::int64_t run) {
  HeldRuns held;
  hold_contexts(store.database(), run, held);
  hold_ends(store.database(), run, held);
  hold_points(store.database(), run, held);
  hold_bare_points(store.database(), run, held);
  return held;
}

std::string first_gap(const Store& store, std::int64_t run, std::int64_t process) {
  Statement rows = store.database().prepare(
      "SELECT sequence FROM points WHERE run = ?1 AND process = ?2 UNION SELECT sequence FROM superseded "
      "WHERE run = ?1 AND process = ?2 ORDER BY 1");
  rows.bind(run, process);
  std::optional<std::int64_t> before;
  while (rows.step()) {
    if (before && rows.integer(0) != *before + 1)
      return fmt::format(", the first between {} and {}", *before, rows.integer(0));
    before = rows.integer(0);
  }
  return "";
}

class Doubter {
 public:
  Doubter(const Store& store, const StoredRun& run, const HeldRun& held, std::vector<RunDoubt>& doubts)
      : store_(store), run_(run), held_(held), doubts_(doubts) {}

  void doubt() {
    doubt_hosts();
    std::int64_t next = 0;
    for (const auto& [number, process] : held_) {
      for (; next < number; ++next) add(next, {}, "nothing is there of it, and of later ones there is");
      ++next;
      doubt_counts(number, process);
      doubt_numbers(number, process);
    }
    const auto last = last_of_modules();
    for (const auto& [number, process] : held_) {
      if (!process.has_context || process.ended) continue;
      if (last.at(process.module) == number)
        doubt_end(number);
      else if (!is_resumed(number, process))
        add(number, process, "it left no end record, and none that came later resumed it");
    }
  }

 private:
  void add(std::int64_t number, const HeldProcess& process, std::string what,
           DoubtKind kind = DoubtKind::lost) {
    std::string host = process.host;
    for (auto other = held_.begin(); host.empty() && other != held_.end(); ++other) host = other->second.host;
    doubts_.push_back({kind, run_.run_id, host, process.name(number), std::move(what)});
  }

  void doubt_hosts() {
    const HeldProcess* first = nullptr;
    for (const auto& [number, process] : held_) {
      if (!process.runs_where_started()) continue;
      if (first == nullptr) first = &process;
      if (process.host != first->host)
        return add(number, process,
                   fmt::format("it is of host {}, and one before it of {}: two nodes under one run id",
                               process.host, first->host));
    }
  }

  void doubt_counts(std::int64_t number, const HeldProcess& process) {
    if (!process.has_context) add(number, process, "its context is missing");
    if (!process.end_of_module.empty())
      add(number, process, fmt::format("its end is of another module, '{}'", process.end_of_module));
    if (process.bare > 0)
      add(number, process,
          fmt::format("{} of its points count samples and hold none, and others of this store hold theirs",
                      process.bare));
    for (const std::int64_t counted : process.ends) {
      if (process.points >= counted && process.points - process.unmeasured <= counted) continue;
      add(number, process,
          fmt::format("its end counts {} points, and {} are there", counted, process.points));
      return;
    }
  }

  /// Points are numbered in a row, and a process that left no end is followed by the next one's.
  void doubt_numbers(std::int64_t number, const HeldProcess& process) {
    if (process.points == 0) return;
    if (process.last - process.first + 1 != process.points)
      add(number, process,
          fmt::format("{} points are missing by their sequence numbers{}",
                      process.last - process.first + 1 - process.points, first_gap(store_, run_.id, number)));
    const auto next = std::find_if(held_.upper_bound(number), held_.end(),
                                   [](const auto& later) { return later.second.points > 0; });
    if (process.ends.empty() && next != held_.end() && next->second.first > process.last + 1)
      add(number, process,
          fmt::format("the points numbered {} to {} are missing behind it", process.last + 1,
                      next->second.first - 1));
    if (process.ends.empty() && number == held_.begin()->first && process.first > 0)
      add(number, process, fmt::format("the points numbered 0 to {} are missing", process.first - 1));
  }

  /// The number of the last process of each module.
  std::map<std::string, std::int64_t> last_of_modules() const {
    std::map<std::string, std::int64_t> last;
    for (const auto& [number, process] : held_)
      if (process.has_context) last[process.module] = number;
    return last;
  }

  bool is_resumed(std::int64_t number, const HeldProcess& process) const {
    return std::any_of(held_.upper_bound(number), held_.end(), [&](const auto& later) {
      return later.second.module == process.module && later.second.resumed;
    });
  }

  /// A burn-in ends rounds when its time is over, and says so itself.
  void doubt_end(std::int64_t number) {
    const HeldProcess& process = held_.at(number);
    if (process.ended || (process.in_burn_in && !process.ends.empty())) return;
    if (!process.ends.empty())
      return add(number, process, "it was interrupted, and not resumed", DoubtKind::unfinished);
    if (const std::string whole = whole_run(run_.run_id); whole != run_.run_id)
      if (all_ended(whole)) return;  // ranks leave no end: what they kept is evidence in addition to rank 0's
    add(number, process, "it left no end record: killed, or still running", DoubtKind::unfinished);
  }

  bool all_ended(const std::string& run_id) const {
    StoredRun run{.run_id = run_id, .started = {}};
    run.id = store_.database().prepare("SELECT id FROM runs WHERE run_id = ?").bind(run_id).single_integer();
    return run.id != 0 && ending_of(store_, run) == "complete";
  }

  const Store& store_;
  const StoredRun& run_;
  const HeldRun& held_;
  std::vector<RunDoubt>& doubts_;
};

std::vector<RunDoubt> doubts_of_journals(const Store& store) {
  Statement rows = store.database().prepare(
      "SELECT ifnull(r.run_id, ''), ifnull((SELECT min(host) FROM contexts c WHERE c.run = d.run), ''), "
      "d.journal, d.line, d.what, d.damage FROM doubts d LEFT JOIN runs r ON r.id = d.run ORDER BY d.id");
  std::vector<RunDoubt> doubts;
  while (rows.step())
    doubts.push_back({rows.integer(5) != 0 ? DoubtKind::damaged_line : DoubtKind::clock, rows.text(0),
                      rows.text(1), fmt::format("{}:{}", rows.text(2), rows.integer(3)),
                      (rows.integer(5) != 0 ? "damaged line: " : "") + rows.text(4)});
  return doubts;
}

}  // namespace

std::vector<RunDoubt> doubts_of(const Store& store, std::span<const std::string> runs) {
  const auto wanted = [&](const std::string& run_id) {
    return runs.empty() || run_id.empty() || std::ranges::find(runs, run_id) != runs.end();
  };
  std::vector<RunDoubt> doubts = doubts_of_journals(store);
  std::erase_if(doubts, [&](const RunDoubt& doubt) { return !wanted(doubt.run_id); });
  const HeldRuns held = runs.empty() ? held_runs_of(store, 0) : HeldRuns();
  for (const StoredRun& run : all_runs(store)) {
    if (!wanted(run.run_id)) continue;
    const HeldRuns only = runs.empty() ? HeldRuns() : held_runs_of(store, run.id);
    const HeldRuns& all = runs.empty() ? held : only;
    if (const auto found = all.find(run.id); found != all.end())
      Doubter(store, run, found->second, doubts).doubt();
  }
  return doubts;
}

std::string text_of(const RunDoubt& doubt) {
  return fmt::format("{}{}: {}", doubt.run_id.empty() ? "" : "run " + doubt.run_id + ", ", doubt.where,
                     doubt.what);
}

std::string ending_of(const Store& store, const StoredRun& run) {
  HeldRuns held;
  hold_contexts(store.database(), run.id, held);
  hold_ends(store.database(), run.id, held);
  std::map<std::string, const HeldProcess*> last;
  for (const auto& [number, process] : held[run.id])
    if (process.has_context) last[process.module] = &process;
  if (last.empty()) return "unknown";
  const auto any = [&](auto holds) {
    return std::ranges::any_of(last, [&](const auto& module) { return holds(*module.second); });
  };
  if (any([](const HeldProcess& process) { return process.ends.empty(); })) return "cut off";
  return any([](const HeldProcess& process) { return !process.ended; }) ? "interrupted" : "complete";
}

}  // namespace assay::results
