// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/population_store.hpp"

#include <fmt/format.h>

#include "results/record/journal.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results::test {

void PopulationStore::add_run(const std::string& host, int run, const std::vector<double>& times_us,
                              const Change& change, const std::string& run_id) {
  RunBuilder builder(run_id.empty() ? fmt::format("{}-{}-{}", cluster_, host, run) : run_id);
  builder.begin(0, "memory");
  for (std::size_t n = 0; n < times_us.size(); ++n) {
    PointRecord record = builder.point("memory.host.copy", {{"n", static_cast<std::int64_t>(n)}});
    if (change) change(record);
    builder.measured(std::move(record), times_us[n] * 1e-6,
                     {"time_us", "us", [](double s) { return s * 1e6; }}, 10);
  }
  builder.end();
  take(builder.take(), host, run);
}

void PopulationStore::add_failed_run(const std::string& host, int run, int points) {
  RunBuilder builder(fmt::format("{}-{}-{}", cluster_, host, run));
  builder.begin(0, "memory");
  for (int n = 0; n < points; ++n)
    builder.not_measured(builder.point("memory.host.copy", {{"n", std::int64_t{n}}}), Status::failed,
                         "no memory");
  builder.end();
  take(builder.take(), host, run);
}

void PopulationStore::add_hosts(int hosts, double us, int points, double spread, const Change& change) {
  for (int host = 0; host < hosts; ++host)
    for (int run = 0; run < 2; ++run) {
      std::vector<double> times;
      for (int point = 0; point < points; ++point) times.push_back(us * (1 + spread * next_noise()));
      add_run(fmt::format("{}{}", cluster_, host), run, times, change);
    }
}

const Store& PopulationStore::store() const {
  store_.reset();
  store_.emplace(folder_ / (cluster_ + ".sqlite"));
  store_->import_lines(cluster_ + ".jsonl", core::source_of(lines_));
  return *store_;
}

void PopulationStore::write(const std::string& file) const {
  Store(file).import_lines(cluster_ + ".jsonl", core::source_of(lines_));
}

void PopulationStore::take(std::vector<Record> records, const std::string& host, int run) {
  const std::string hour = fmt::format("2026-01-02T{:02}:", run);
  for (Record& record : records) {
    if (auto* context = std::get_if<ContextRecord>(&record)) {
      context->host = host;
      context->started = hour + "00:00.000Z";
    } else if (auto* end = std::get_if<EndRecord>(&record)) {
      end->ended = hour + "00:30.000Z";
    } else if (auto* point = std::get_if<PointRecord>(&record)) {
      point->started = hour + "00:10.000Z";
      point->elapsed_s = 0;
    }
    lines_ += to_line(record);
    if (!lines_.ends_with('\n')) lines_ += '\n';
  }
}

/// Even over -1 to 1, and never twice the same.
double PopulationStore::next_noise() {
  state_ += 0.6180339887498949 + (cluster_ == "b" ? 1e-4 : 0);
  state_ -= static_cast<int>(state_);
  return 2 * state_ - 1;
}

}  // namespace assay::results::test
