// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/stored_lines.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"
#include "results/record/line_crc.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

std::string list_of(const std::vector<double>& values) { return core::json_text(nlohmann::json(values)); }

/// The record in the store is the line less samples and CRC.
std::string line_of(std::string record, const std::string& samples = "") {
  record.pop_back();
  return closed_with_crc(std::move(record.append(samples))) + "\n";
}

class LinesOfStore {
 public:
  explicit LinesOfStore(const Database& database)
      : processes_(
            database.prepare("SELECT process FROM contexts WHERE run = ?1 UNION SELECT process FROM points "
                             "WHERE run = ?1 UNION SELECT process FROM ends WHERE run = ?1 ORDER BY 1")),
        contexts_(database.prepare("SELECT record FROM contexts WHERE run = ? AND process = ? ORDER BY id")),
        points_(database.prepare(
            "SELECT status, record, samples_s, sm_cycles, json_extract(record, '$.started'), sequence, id "
            "FROM points INDEXED BY points_in_order WHERE run = ?1 AND process = ?2 UNION ALL "
            "SELECT status, record, samples_s, sm_cycles, json_extract(record, '$.started'), sequence, id "
            "FROM superseded WHERE run = ?1 AND process = ?2 ORDER BY sequence, id")),
        ends_(database.prepare("SELECT module, ended, points, interrupted FROM ends "
                               "WHERE run = ? AND process = ? ORDER BY id")) {}

  void give(const StoredRun& run, const core::ByteSink& sink) {
    std::vector<std::int64_t> processes;
    processes_.bind(run.id);
    while (processes_.step()) processes.push_back(processes_.integer(0));
    for (const std::int64_t process : processes) {
      contexts_.bind(run.id, process);
      while (contexts_.step()) sink(line_of(contexts_.text(0)));
      give_points_and_ends(run, process, sink);
    }
  }

 private:
  /// A point that began after an end was written after it: a campaign's own, among those of its module.
  void give_points_and_ends(const StoredRun& run, std::int64_t process, const core::ByteSink& sink) {
    const std::vector<std::pair<std::string, std::string>> ends = ends_of(run, process);
    std::size_t next = 0;
    points_.bind(run.id, process);
    while (points_.step()) {
      for (; next < ends.size() && ends[next].first < points_.text(4); ++next) sink(ends[next].second);
      sink(line_of(points_.text(1), samples()));
    }
    for (; next < ends.size(); ++next) sink(ends[next].second);
  }

  /// When, and the line.
  std::vector<std::pair<std::string, std::string>> ends_of(const StoredRun& run, std::int64_t process) {
    std::vector<std::pair<std::string, std::string>> ends;
    ends_.bind(run.id, process);
    while (ends_.step()) {
      const EndRecord end{run.run_id,    process,          ends_.text(0),
                          ends_.text(1), ends_.integer(2), ends_.integer(3) != 0};
      ends.emplace_back(end.ended, to_line(end) + "\n");
    }
    return ends;
  }

  std::string samples() const {
    const auto status = static_cast<Status>(points_.integer(0));
    if (status != Status::ok && status != Status::wrong) return "";
    const auto cycles = points_.numbers(3);
    return ",\"samples_s\":" + list_of(points_.numbers(2)) +
           (cycles.empty() ? "" : ",\"sm_cycles\":" + list_of(cycles));
  }

  Statement processes_, contexts_, points_, ends_;
};

}  // namespace

std::vector<RunDoubt> damage_of_runs(const Store& store, std::span<const std::string> runs) {
  std::vector<RunDoubt> damage = doubts_of(store, runs);
  std::erase_if(damage, [](const RunDoubt& doubt) {
    return doubt.kind != DoubtKind::damaged_line && doubt.kind != DoubtKind::clock;
  });
  return damage;
}

core::LongText lines_of_runs(const Store& store, std::span<const std::string> runs) {
  std::vector<StoredRun> chosen = chosen_runs(store, runs);
  std::ranges::sort(chosen, {}, [](const StoredRun& run) { return std::pair(run.started, run.id); });
  LinesOfStore of_store(store.database());
  return core::LongText::of([&](const core::ByteSink& sink) {
    std::int64_t last = -1;
    for (const StoredRun& run : chosen)
      if (run.id != std::exchange(last, run.id)) of_store.give(run, sink);
  });
}

Store store_of_runs(const Store& store, std::span<const std::string> runs) {
  Store alone("");
  alone.import_lines(store.path(), lines_of_runs(store, runs).source());
  return alone;
}

}  // namespace assay::results
