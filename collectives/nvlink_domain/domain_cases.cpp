// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nvlink_domain/domain_cases.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nvlink_domain/domain_trial.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

using core::Domain;
using core::Value;

struct DomainSettings {
  CaseMaker maker;
  DomainPlan plan = {};
  core::OwnClock::Place place = {};
};

// Nearly an H100's 132 SMs, and a divisor of what is copied: as in offload.
constexpr std::int64_t kernel_blocks = 128, most_kernel_blocks = 4096, most_ranks = 1 << 10;

core::Axis pattern_axis() {
  std::vector<Value> values;
  std::vector<std::string> choices;
  for (const std::string_view pattern : domain_patterns) {
    values.emplace_back(std::string(pattern));
    choices.emplace_back(pattern);
  }
  return {"pattern", "which ranks copy at the same time; halves: each to its counterpart in the other half",
          Domain::words, std::move(values), std::move(choices)};
}

class DomainCopyCase {
 public:
  using Site = core::OwnClock;
  using Settings = DomainSettings;
  static constexpr std::string_view name = "collectives.nvlink_domain.copy";
  static constexpr std::string_view measures =
      "copies between GPUs of one NVLink domain, on any of its nodes, through fabric handles";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 10e-3;  // long compared with the barrier that begins it

  static std::vector<core::Axis> axes() {
    return {pattern_axis(),
            {"bytes", "of each copy", Domain::sizes, {16 * core::mib, 256 * core::mib}},
            {"on",
             "whose engine or multiprocessors copy",
             Domain::words,
             {"source", "target"},
             {"source", "target"}},
            {"by",
             "copy engine, or a kernel that addresses the peer's memory",
             Domain::words,
             {"engine"},
             {"engine", "sm"}},
            {"from", "rank of the source, where the pattern has one", Domain::integers, {std::int64_t{0}}},
            {"to", "rank of the target, where the pattern has one", Domain::integers, {std::int64_t{1}}},
            {"blocks", "thread blocks of the kernel", Domain::integers, {kernel_blocks}}};
  }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    const auto pattern = std::ranges::find(domain_patterns, point.text("pattern"));
    return {.maker = maker,
            .plan = {.pattern = static_cast<DomainPattern>(pattern - domain_patterns.begin()),
                     .ranks = maker.around.ranks,
                     .from = static_cast<int>(core::within(point, "from", 0, most_ranks)),
                     .to = static_cast<int>(core::within(point, "to", 0, most_ranks)),
                     .target_copies = point.text("on") == "target",
                     .by_kernel = point.text("by") == "sm",
                     .bytes = core::within(point, "bytes", 1, 64 * core::gib),
                     .blocks = static_cast<int>(core::within(point, "blocks", 1, most_kernel_blocks))}};
  }
  /// Resets what has no meaning for the pattern or the engine to its axis's default.
  static core::Point representative(const Settings& settings, core::Point point) {
    if (!settings.plan.has_source()) point = std::move(point).set("from", std::int64_t{0});
    if (!settings.plan.has_target()) point = std::move(point).set("to", std::int64_t{1});
    if (!settings.plan.by_kernel) point = std::move(point).set("blocks", kernel_blocks);
    return point;
  }
  static core::Work work(const Settings& settings) {
    if (no_such_pattern(settings.plan)) return {};
    return {.bytes = static_cast<double>(std::ssize(copies_of(settings.plan)) * settings.plan.bytes),
            .bytes_counted = "copied, of all copies together"};
  }
  static std::optional<std::string> impossible(const Settings& settings) {
    return no_such_pattern(settings.plan);
  }
  static std::optional<std::string> not_built(const Settings&) { return nccl_not_built(); }
  static std::optional<std::string> unsupported(const Settings&) { return why_no_nvlink_domain(); }

  DomainCopyCase(const Settings& settings, Site&)
      : bytes_(settings.plan.bytes),
        leads_(settings.maker.team->rank() == 0),
        trial_(make_domain_trial(*settings.maker.team, settings.plan,
                                 connect_ranks(settings.maker, mpi_data_calls()),
                                 settings.maker.ranks_share_gpu)) {}

  core::Timing enqueue(std::int64_t iterations) { return trial_->enqueue(iterations); }
  void sampling_begins() { trial_->sampling_begins(); }
  core::Verification check() { return trial_->check(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) const {
    const core::QuantileInterval& time = measurement.interval;
    if (!leads_ || time.lower <= 0) return {};
    const auto rate = [&](double seconds) { return core::gb_per_s(static_cast<double>(bytes_), seconds); };
    return {{"each_copy_gb_per_s", "GB/s", rate(time.estimate), rate(time.upper), rate(time.lower)}};
  }
  std::vector<core::Fact> facts() const { return trial_->facts(); }

 private:
  std::int64_t bytes_;
  bool leads_;
  std::unique_ptr<DomainTrial> trial_;
};

}  // namespace

std::vector<core::Case> domain_cases(const CaseMaker& maker) {
  return {core::case_of<DomainCopyCase>(maker)};
}

}  // namespace assay::collectives
