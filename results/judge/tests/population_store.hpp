// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A store of made-up hosts of one cluster, each run at an hour of its own.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results::test {

class PopulationStore {
 public:
  using Change = std::function<void(PointRecord&)>;
  explicit PopulationStore(std::string cluster)
      : cluster_(std::move(cluster)), store_(folder_ / (cluster_ + ".sqlite")) {}

  /// One run of a host; times in us of the points n=0, n=1 ...
  void add_run(const std::string& host, int run, const std::vector<double>& times_us,
               const Change& change = nullptr, const std::string& run_id = "") {
    RunBuilder builder(run_id.empty() ? fmt::format("{}-{}-{}", cluster_, host, run) : run_id);
    builder.begin(0, "memory");
    for (std::size_t n = 0; n < times_us.size(); ++n) {
      PointRecord record = builder.point("memory.host.copy", {{"n", static_cast<std::int64_t>(n)}});
      if (change) change(record);
      builder.measured(std::move(record), times_us[n] * 1e-6,
                       {"time_us", "us", [](double s) { return s * 1e6; }}, 10);
    }
    builder.end();
    for (Record& record : builder.take()) add(record, host, run);
  }
  /// Hosts with two runs each of `points` points, all about `us` and spread by `spread`.
  void add_hosts(int hosts, double us, int points = 2, double spread = 0.002,
                 const Change& change = nullptr) {
    for (int host = 0; host < hosts; ++host)
      for (int run = 0; run < 2; ++run) {
        std::vector<double> times;
        for (int point = 0; point < points; ++point) times.push_back(us * (1 + spread * next_noise()));
        add_run(fmt::format("{}{}", cluster_, host), run, times, change);
      }
  }
  const Store& store() const { return store_; }

 private:
  void add(Record& record, const std::string& host, int run) {
    const std::string hour = fmt::format("2026-01-02T{:02}:", run);
    if (auto* context = std::get_if<ContextRecord>(&record)) {
      context->host = host;
      context->started = hour + "00:00.000Z";
    } else if (auto* end = std::get_if<EndRecord>(&record)) {
      end->ended = hour + "00:30.000Z";
    } else if (auto* point = std::get_if<PointRecord>(&record)) {
      point->started = hour + "00:10.000Z";
      point->elapsed_s = 0;
    }
    store_.add(record);
  }
  /// Even over -1 to 1, and never twice the same.
  double next_noise() {
    state_ += 0.6180339887498949 + (cluster_ == "b" ? 1e-4 : 0);
    state_ -= static_cast<int>(state_);
    return 2 * state_ - 1;
  }

  TemporaryFolder folder_;
  std::string cluster_;
  Store store_;
  double state_ = 0;
};

}  // namespace assay::results::test
