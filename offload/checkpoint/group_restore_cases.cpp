// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/units.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"
#include "offload/checkpoint/group_restore.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

class GroupRestoreCase : public DeclaredGroupRestore {
 public:
  using Site = core::OwnClock;
  struct Settings : GroupRestore::Settings {
    Site::Place place = {};
  };
  static Settings settings(core::Point point, const Surroundings& around) {
    point.set("checksum", "xxh3");
    return {{.checkpoint = checkpoint_settings(around.module->checkpoint_folder, point),
             .bytes = checkpoint_bytes(point),
             .ranks = static_cast<int>(within(point, "ranks", 2, 256)),
             .mode = point.text("mode") == "one_reads" ? RestoreMode::one_reads : RestoreMode::all_read}};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto reason = why_no_io_uring()) return reason;
    return does_not_fit("the host memory of every rank's state", settings.ranks * settings.bytes,
                        host::available_memory_bytes(-1));
  }

  GroupRestoreCase(const Settings& settings, Site&) : settings_(settings), group_(settings) {}

  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      times_.push_back(group_.run());
      timing.each_s.push_back(times_.back().all_s);
      timing.seconds += times_.back().all_s;
    }
    return timing;
  }
  void sampling_begins() { times_.clear(); }
  core::Verification check() {
    using Result = core::Verification::Result;
    if (auto wrong = group_.first_wrong()) return {Result::wrong, *wrong};
    if (auto unnoticed = group_.unnoticed_fault()) return {Result::wrong, *unnoticed};
    return {Result::right, "every byte of every rank, bit for bit; planted flips were found by checksums"};
  }
  std::vector<core::Metric> metrics(const core::Measurement&) const {
    const double gb = static_cast<double>(settings_.bytes) / 1e9;
    const bool one_reads = settings_.mode == RestoreMode::one_reads;
    const auto s_per_gb = [&](const char* name, double GroupRestore::Times::* part) {
      return core::median_metric(times_, name, "s/GB", [=](const auto& one) { return one.*part / gb; });
    };
    const double ranks = settings_.ranks, bytes = static_cast<double>(settings_.bytes);
    return {{"storage_bytes", "B", one_reads ? bytes : ranks * bytes},
            {"link_bytes", "B", one_reads ? (ranks - 1) * bytes : 0},
            s_per_gb("restore_s_per_gb", &GroupRestore::Times::all_s),
            s_per_gb("read_s_per_gb", &GroupRestore::Times::read_s)};
  }
  static std::vector<core::Fact> facts() {
    return {{"engine", "io_uring"}, {"host_twin", "ranks are threads; links are sockets of this host"}};
  }

 private:
  Settings settings_;
  GroupRestore group_;
  std::vector<GroupRestore::Times> times_;
};

}  // namespace

std::vector<core::Case> group_restore_cases(const Surroundings& around) {
  return {core::case_of<GroupRestoreCase>(around)};
}

}  // namespace assay::offload
