// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of files that were laid out before, read or written in order or at random, as many under way as
// asked: rate, operations per second and the time until an operation completes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/core/measure/measure.hpp"
#include "harness/core/measure/median_metric.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/point_axes.hpp"
#include "offload/storage/drive.hpp"
#include "offload/storage/storage_declarations.hpp"
#include "offload/storage/storage_job.hpp"

namespace assay::offload {
namespace {

std::string sync_words(SyncPolicy sync) {
  switch (sync) {
    case SyncPolicy::end:
      return "fdatasync after each sample, counted";
    case SyncPolicy::each:
      return "every request (RWF_DSYNC)";
    case SyncPolicy::none:
      break;
  }
  return "none";
}

std::string page_cache_words(const StorageSettings& settings) {
  const std::string use = page_cache_use(settings.direct, settings.direct);
  return settings.direct || settings.writes ? use : use + "; emptied of the files before samples and passes";
}

/// One iteration is a request of every job.
template <class Declaration>
class StorageCase : public OnStorage<Declaration> {
 public:
  using Site = core::OwnClock;
  struct Settings : DeclaredStorage::Settings {
    Site::Place place = {};
  };
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {OnStorage<Declaration>::settings(point, around)};
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto reason = why_no_io_uring()) return reason;
    return does_not_fit("the host memory of what is written and read",
                        settings.storage.jobs * StorageJob::memory_bytes(settings.storage),
                        host::available_memory_bytes(-1));
  }

  StorageCase(const Settings& settings, Site&)
      : settings_(settings.storage), jobs_(static_cast<std::size_t>(settings_.jobs)) {
    check_space(settings_.folder, settings_.bytes, "the files of storage take");
    core::at_once(jobs_.size(), [this](std::size_t job) {
      jobs_[job] = std::make_unique<StorageJob>(settings_, static_cast<int>(job));
    });
  }

  core::Timing enqueue(std::int64_t iterations) {
    std::vector<StorageJob::Times> times(jobs_.size());
    for (const auto& job : jobs_) job->forget_cached();
    core::at_once(jobs_.size(), [&](std::size_t job) { times[job] = jobs_[job]->run(iterations); });
    const auto first = std::ranges::min_element(times, {}, &StorageJob::Times::began_s);
    const auto last = std::ranges::max_element(times, {}, &StorageJob::Times::ended_s);
    return {.seconds = last->ended_s - first->began_s};
  }

  void sampling_begins() {
    for (const auto& job : jobs_) job->forget_latencies();
  }

  core::Verification check() {
    using Result = core::Verification::Result;
    for (const auto& job : jobs_)
      if (auto wrong = job->first_wrong()) return {Result::wrong, *wrong};
    return {Result::right, "every block of every file was read back, bit for bit"};
  }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) const {
    LatencyCounts latencies;
    for (const auto& job : jobs_) latencies.add(job->latencies());
    std::vector<core::Metric> metrics{
        core::median_metric(measurement.samples_s, "operations_per_s", "1/s",
                            [this](double seconds) { return settings_.jobs / seconds; })};
    const auto add = [&](const char* name, std::optional<double> seconds) {
      if (seconds) metrics.push_back({name, "us", *seconds * 1e6});
    };
    add("completion_median_us", latencies.quantile_s(0.5));
    add("completion_p99_us", latencies.quantile_s(0.99));
    add("completion_p999_us", latencies.quantile_s(0.999));
    add("completion_max_us", latencies.max_s());
    return metrics;
  }

  std::vector<core::Fact> facts() const {
    const std::filesystem::path folder = std::filesystem::canonical(settings_.folder);
    const Drive drive = drive_of(folder, machine::Tree(""));
    std::vector<core::Fact> facts{{"engine", "io_uring"},
                                  {"memory_pages", "base"},
                                  {"page_cache", page_cache_words(settings_)},
                                  {"folder", folder.string()}};
    if (settings_.writes) facts.emplace_back("sync_policy", sync_words(settings_.sync));
    const auto add = [&](const char* name, const std::string& value) {
      facts.emplace_back(name, value.empty() ? "not stated by the kernel" : value);
    };
    add("file_system", drive.file_system);
    add("file_system_source", drive.source);
    add("drive_model", drive.model);
    return facts;
  }

 private:
  StorageSettings settings_;
  std::vector<std::unique_ptr<StorageJob>> jobs_;
};

}  // namespace

std::vector<core::Case> storage_cases(const Surroundings& around) {
  return {core::case_of<StorageCase<DeclaredStorageRead>>(around),
          core::case_of<StorageCase<DeclaredStorageWrite>>(around)};
}

}  // namespace assay::offload
