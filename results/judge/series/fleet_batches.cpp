// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_batches.hpp"

#include <array>
#include <exception>
#include <optional>
#include <unordered_map>
#include <utility>

#include "results/judge/series/uneven_points.hpp"
#include "results/judge/statistics/copied_samples.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_waiting_batches = 64;
constexpr std::size_t most_points = 4096;            // of a batch that does not end its run
constexpr std::size_t most_points_in_a_row = 65536;  // of a run that is kept until its order is known
constexpr std::size_t readers = 2;
constexpr std::size_t runs_in_turn = 8;  // of one reader: neighbours share pages

/// Columns of the queries, in order.
namespace batch_column {
enum : int { id, run, process, sequence, case_id, key, samples, reason, evidence };
}

std::string batch_query(const std::string& from_where) {
  return std::string("SELECT p.id, p.run, p.process, p.sequence, p.case_id, p.key, p.samples_s, p.reason, ") +
         point_evidence_columns + from_where;
}

constexpr const char* in_order =
    "FROM points p INDEXED BY points_in_order JOIN cases c ON c.id = p.case_id "
    "WHERE p.run = ?1 AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) "
    "ORDER BY p.process, p.sequence";
constexpr const char* in_a_row = "FROM points p WHERE p.id BETWEEN ?1 AND ?2";
constexpr const char* ends_of_row =
    "SELECT (SELECT id FROM points WHERE run = ?1 ORDER BY process, sequence LIMIT 1), "
    "(SELECT id FROM points WHERE run = ?1 ORDER BY process DESC, sequence DESC LIMIT 1)";

std::unordered_map<std::int64_t, std::string> case_names_in(const Store& store) {
  std::unordered_map<std::int64_t, std::string> names;
  Statement rows = store.database().prepare("SELECT id, name FROM cases");
  while (rows.step()) names.emplace(rows.integer(0), rows.text(1));
  return names;
}

}  // namespace

/// On one connection.
class BatchReader {
 public:
  BatchReader(const Store& store, std::string filter, core::BoundedQueue<FleetBatch>& out)
      : store_(store),
        filter_(std::move(filter)),
        out_(out),
        names_(case_names_in(store)),
        ends_(store.database().prepare(ends_of_row)),
        row_(store.database().prepare(batch_query(in_a_row))),
        ordered_(store.database().prepare(batch_query(in_order))) {}

  /// False once no more are wanted.
  bool read(const StoredRun& run) {
    batch_ = {.contexts = contexts_by_process(store_, run)};
    if (!read_in_a_row(run) && !read_in_order(run)) return false;
    batch_.ends_run = true;
    return out_.put(std::move(batch_));
  }

 private:
  /// A run that was imported alone has its points one after the other, mostly in order: read so, without the
  /// index, if it has. False where it has not.
  bool read_in_a_row(const StoredRun& run) {
    const auto count = static_cast<std::size_t>(run.points());
    if (!filter_.empty() || count == 0 || count > most_points_in_a_row || !ends_.bind(run.id).step())
      return false;
    const std::int64_t first = ends_.integer(0), last = ends_.integer(1);
    if (last - first + 1 != run.points()) return false;
    batch_.points.reserve(count);
    row_.bind(first, last);
    std::pair<std::int64_t, std::int64_t> before{-1, -1};
    while (row_.step()) {
      const std::pair place{row_.integer(batch_column::process), row_.integer(batch_column::sequence)};
      if (row_.integer(batch_column::run) != run.id || place <= before) {
        batch_.points.clear();
        return false;
      }
      before = place;
      take(row_);
    }
    return true;
  }

  /// False once no more are wanted.
  bool read_in_order(const StoredRun& run) {
    ordered_.bind(run.id, filter_);
    while (ordered_.step()) {
      take(ordered_);
      if (batch_.points.size() == most_points && !out_.put(std::exchange(batch_, {}))) return false;
    }
    return true;
  }

  void take(const Statement& row) {
    const std::int64_t case_id = row.integer(batch_column::case_id);
    point_.id = row.integer(batch_column::id);
    point_.process = row.integer(batch_column::process);
    point_.case_name = names_.at(case_id);
    point_.key = row.view(batch_column::key);
    read_evidence(row, batch_column::evidence, point_.evidence);
    row.numbers(batch_column::samples, point_.samples_s);
    const PointSort* sort = is_plain() ? sorts_.of(case_id, point_) : nullptr;
    batch_.points.push_back({.sort = sort, .id = point_.id, .process = point_.process});
    BatchedPoint& batched = batch_.points.back();
    if (sort != nullptr) {
      batched.time_s = point_.evidence.time_s;
      batched.excess = excess_of(point_);
      batched.hash = hash_of_point(sort->identity.unit("") + sort->identity.metric, point_);
    } else {
      point_.reason = row.view(batch_column::reason);
      batched.whole = std::make_unique<FleetPoint>(point_);
    }
  }

  bool is_plain() const {
    return point_.evidence.status == Status::ok && !point_.case_name.starts_with("rdma.") &&
           !doubt_about(point_.evidence, point_.samples_s);
  }

  const Store& store_;
  std::string filter_;
  core::BoundedQueue<FleetBatch>& out_;
  std::unordered_map<std::int64_t, std::string> names_;
  Statement ends_, row_, ordered_;
  PointSorts sorts_;
  FleetPoint point_;
  FleetBatch batch_;
};

std::uint64_t hash_of_point(const std::string& metric, const FleetPoint& point) {
  const PointEvidence& evidence = point.evidence;
  const std::array<double, 3> summary{evidence.time_s, evidence.lower_s, evidence.upper_s};
  return hash_of_samples(metric,
                         point.samples_s.empty() ? std::span<const double>(summary) : point.samples_s);
}

/// One of several threads, each with every n-th group of runs.
struct FleetBatches::Reader {
  std::optional<Store> own;
  core::BoundedQueue<FleetBatch> batches{most_waiting_batches};
  std::optional<BatchReader> reader;
  std::thread thread;

  Reader(const Store& store, const std::string& filter) {
    if (!store.path().empty()) own.emplace(store.path(), StoreMode::existing);
    reader.emplace(own ? *own : store, filter, batches);
  }
  ~Reader() {
    batches.give_up();
    if (thread.joinable()) thread.join();
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void read(const std::vector<StoredRun>& runs) {
    std::exception_ptr failed;
    try {
      for (const StoredRun& run : runs)
        if (!reader->read(run)) break;
    } catch (...) {
      failed = std::current_exception();
    }
    batches.end(failed);
  }
};

FleetBatches::FleetBatches(const Store& store, const std::string& filter, std::span<const StoredRun> runs) {
  const std::size_t count = store.path().empty() || runs.size() <= runs_in_turn ? 1 : readers;
  for (std::size_t number = 0; number < count; ++number) {
    std::vector<StoredRun> own;
    for (std::size_t run = 0; run < runs.size(); ++run)
      if (run / runs_in_turn % count == number) own.push_back(runs[run]);
    Reader& reader = *readers_.emplace_back(std::make_unique<Reader>(store, filter));
    reader.thread = std::thread([&reader, own = std::move(own)] { reader.read(own); });
  }
}

FleetBatches::~FleetBatches() = default;

FleetBatch FleetBatches::next(std::size_t run) {
  auto batch = readers_[run / runs_in_turn % readers_.size()]->batches.take();
  return batch ? std::move(*batch) : FleetBatch{.ends_run = true};
}

}  // namespace assay::results
