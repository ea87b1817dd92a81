// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Puts records into a store's tables, with the statements prepared once. Used inside a transaction, and ended
// by finish().
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/record/journal.hpp"
#include "results/record/json/point_line.hpp"
#include "results/store/incoming_points.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {

class Inserter {
 public:
  explicit Inserter(Database& database);
  /// False when the very same record is already there. Throws std::runtime_error for another process or point
  /// of the same run and number: its records would be taken for those that are there.
  bool insert(const Record& record);
  /// The row must live until flush(), which writes those that wait.
  bool insert(const PointRow& point);
  void flush() { points_.insert(); }
  /// Writes what was counted on the way. Nothing is inserted afterwards.
  void finish();

 private:
  /// The counts of run_cases and case_ranges for one run and case, over the points inserted here.
  struct CaseCount {
    std::array<std::int64_t, 5> by_status{};
    std::string metric, unit;
    std::optional<double> lowest, highest;
    std::optional<std::int64_t> lowest_point, highest_point;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // of ids, the first and the last
  };
  struct KnownRun {
    std::int64_t id = 0;
    bool is_new = false;
    std::uint64_t digest = 0;                            // of the records inserted here
    std::map<std::int64_t, std::int64_t> last_sequence;  // by process
    std::unordered_map<std::int64_t, CaseCount> cases;
  };
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByName = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

  bool insert(const ContextRecord& context, std::uint32_t crc);
  bool insert(const PointRecord& point, std::uint32_t crc);
  bool insert(const EndRecord& end, std::uint32_t crc);
  void insert_more_metrics(const PointRow& point, std::int64_t id);
  static void count(const PointRow& point, std::int64_t id, CaseCount& counted);
  void write_counts(const KnownRun& run);
  void write_digest(const KnownRun& run);
  KnownRun& run_of(std::string_view run_id, std::string_view started);
  std::int64_t case_of(std::string_view name);
  bool is_there(KnownRun& run, const PointRow& point);
  void refuse_other(const KnownRun& run, const ContextRecord& context, std::uint32_t crc);

  Database& database_;
  IncomingPoints points_;
  Statement context_, find_context_, find_point_, end_, more_metrics_, new_run_, find_run_, earlier_,
      new_case_, find_case_, counted_in_run_, counted_in_case_, range_, read_digest_, write_digest_;
  ByName<KnownRun> runs_;
  ByName<KnownRun>::value_type* latest_run_ = nullptr;
  ByName<std::int64_t> cases_;
};

}  // namespace assay::results
