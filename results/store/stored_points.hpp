// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs and points as they are read back from a store.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct StoredRun {
  std::int64_t id = 0;
  std::string run_id, started;
  std::int64_t ok = 0, unsupported = 0, failed = 0, wrong = 0, timeout = 0;
  std::int64_t points() const { return ok + unsupported + failed + wrong + timeout; }
};

struct StoredPoint {
  std::int64_t id = 0, process = 0, sequence = 0;
  std::string case_name, key;
  Fields axes;
  std::int64_t repetition = 0;
  Status status = Status::ok;
  std::string reason;
  std::int64_t n = 0;
  double time_s = 0, lower_s = 0, upper_s = 0;
  std::string stop;
  bool drifting = false;
  double work_bytes = 0, work_flops = 0;
  std::string metric, unit;  // the headline
  Number headline;
  std::optional<Number> efficiency;  // of peak, 1 is the peak
  std::size_t repetitions = 1;       // joined in this

  std::string back_end() const;   // "host" of "memory.host.copy"
  std::string benchmark() const;  // "copy"
};

/// All runs, the latest first.
std::vector<StoredRun> all_runs(const Store& store);
/// "r7" of "r7.rank3", the run of a rank's own journal; else the name itself.
std::string whole_run(const std::string& run_id);
/// Without those of ranks' own journals whose whole run is there: what a rank alone saw of a point is not
/// compared with whole points.
std::vector<StoredRun> whole_runs(const Store& store);

/// The store holds no run of that name.
class NoRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The run of that id, or the latest where `run_id` is empty or "latest". Throws NoRun, and
/// std::runtime_error where the store is empty, with one line each.
StoredRun find_run(const Store& store, const std::optional<std::string>& run_id);
/// Those of the ids, as find_run(); where none is named, all of the store.
std::vector<StoredRun> chosen_runs(const Store& store, std::span<const std::string> runs);
/// Contexts of a run, in process order.
std::vector<ContextRecord> contexts_of(const Store& store, const StoredRun& run);
/// The first of each process.
std::map<std::int64_t, ContextRecord> contexts_by_process(const Store& store, const StoredRun& run);
/// "measured", or every origin the run's contexts name.
std::string origin_of(const Store& store, const StoredRun& run);

enum class Chosen {
  all,
  not_ok,
  bad,  // failed, wrong, timed out: neither ok nor unsupported
};
/// In the order measured. `filter` is a glob over the case name, or over "case/key"; empty takes all.
std::vector<StoredPoint> points_in_order(const Store& store, const StoredRun& run, const std::string& filter,
                                         std::int64_t limit, Chosen chosen = Chosen::all);
/// A case that the run has points of.
struct StoredCase {
  std::int64_t id = 0;
  std::string name;
  std::int64_t points = 0;  // of the run, every status
};
/// Whether any case of the store has a name of this glob. All of its points would have to be looked at
/// otherwise.
bool has_cases(const Store& store, const std::string& glob);
/// In the order they came into the store.
std::vector<StoredCase> cases_of(const Store& store, const StoredRun& run);
/// Every status, in the order they came into the store.
std::vector<StoredPoint> points_of_case(const Store& store, const StoredRun& run, const StoredCase& of_case,
                                        std::int64_t limit);
/// Value of the first of these fields that is there, as text; empty where none is.
std::string field_text(const Fields& fields, const std::vector<std::string>& names);
std::optional<std::int64_t> field_integer(const Fields& fields, const std::vector<std::string>& names);
std::string scalar_text(const Scalar& value);

}  // namespace assay::results
