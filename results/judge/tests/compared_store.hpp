// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A store of synthetic runs to compare: no two have the same samples unless a test asks for it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/population/run_comparison.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results::test {

class ComparedStore {
 public:
  using Change = void (*)(PointRecord&);
  /// Times in us of the point n=NUMBER, a repetition each.
  using Points = std::vector<std::pair<std::int64_t, std::vector<double>>>;

  /// A run; `change` is made to the record of every point before it is stored.
  void add_run(const std::string& id, const Points& points, Change change = nullptr) {
    RunBuilder builder(id);
    builder.begin(0, "memory");
    for (const auto& [n, times_us] : points)
      for (std::size_t repetition = 0; repetition < times_us.size(); ++repetition) {
        PointRecord record = builder.point("memory.host.copy", {{"n", n}});
        record.repetition = static_cast<std::int64_t>(repetition);
        record.work_bytes = 64;
        builder.measured(std::move(record), times_us[repetition] * 1e-6 * next_jitter(),
                         {"time_us", "us", [](double s) { return s * 1e6; }});
      }
    builder.end();
    add(builder.take(), change);
  }
  /// Runs of one point, a time for each, that started one an hour in the order given: "b1" is run 1 of side
  /// b.
  void add_hourly(const std::vector<std::pair<std::string, double>>& runs) {
    for (std::size_t hour = 0; hour < runs.size(); ++hour) {
      RunBuilder builder(runs[hour].first);
      builder.begin(0, "memory");
      PointRecord record = builder.point("memory.host.copy", {{"n", std::int64_t{1}}});
      builder.measured(std::move(record), runs[hour].second * 1e-6 * next_jitter(),
                       {"time_us", "us", [](double s) { return s * 1e6; }});
      builder.end();
      std::vector<Record> records = builder.take();
      std::get<ContextRecord>(records.front()).started =
          "2026-01-02T0" + std::to_string(hour) + ":00:00.000Z";
      add(std::move(records));
    }
  }
  void add(std::vector<Record> records, Change change = nullptr) {
    for (Record& record : records) {
      if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && change != nullptr)
        change(*point);
    }
    store_.add(records);
  }
  /// Runs a1, a2 ... or b1, b2 ... of one point, a time for each run, two repetitions of it.
  std::vector<std::string> add_side(const std::string& side, const std::vector<double>& run_us,
                                    Change change = nullptr) {
    std::vector<std::string> ids;
    for (const double us : run_us) {
      ids.push_back(side + std::to_string(ids.size() + 1));
      add_run(ids.back(), {{1, {us, us * 1.001}}}, change);
    }
    return ids;
  }

  RunComparison compared(std::vector<std::string> a, std::vector<std::string> b, double margin = 0.03) const {
    return compare_runs(store_, store_, {.a = std::move(a), .b = std::move(b), .margin = margin});
  }
  /// Compares runs a1, a2 ... with runs b1, b2 ...
  RunComparison compared(double margin = 0.03) const { return compared({"a*"}, {"b*"}, margin); }
  std::string refusal(std::vector<std::string> a = {"a*"}, std::vector<std::string> b = {"b*"},
                      double margin = 0.03) const {
    try {
      compared(std::move(a), std::move(b), margin);
      return "compared";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  const Store& store() const { return store_; }

 private:
  double next_jitter() { return 1 + 1e-9 * ++measured_; }

  TemporaryFolder folder_;
  Store store_{folder_ / "store.sqlite"};
  double measured_ = 0;
};

}  // namespace assay::results::test
