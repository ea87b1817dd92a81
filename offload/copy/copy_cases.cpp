// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU: behind a gate and by events where the driver queues them, by the host's clock
// where it copies through memory of its own.
#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "harness/core/measure/measure.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/host/available_memory.hpp"
#include "offload/copy/copy_declarations.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/copy/host_link.hpp"
#include "offload/copy/two_streams.hpp"
#include "offload/free_device_bytes.hpp"

namespace assay::offload {
namespace {

/// Copies to queue while the link is read: up to some ten milliseconds of them, which NVML may take to
/// answer.
std::int64_t copies_under_way(std::int64_t bytes) {
  return std::clamp<std::int64_t>(512 * core::mib / bytes, 8, 256);
}

class HostCopyCase : public DeclaredHostCopy {
 public:
  using Site = cuda::GatedSite;
  static std::optional<std::string> unsupported(const Settings& settings) {
    return no_space(settings.way, 1, free_device_bytes(settings.place.gpu),
                    host::available_memory_bytes(settings.way.node));
  }
  HostCopyCase(const Settings& settings, Site& site)
      : way_(settings.way), site_(site), copy_(way_, site_.stream.get()) {}

  core::Timing enqueue(std::int64_t iterations) {
    if (way_.is_queued()) return site_.timer.run(iterations, copy_.launches(), [this] { copy_.enqueue(); });
    const double begin_s = core::steady_seconds();
    for (std::int64_t i = 0; i < iterations; ++i) copy_.enqueue();
    cuda::check(cudaStreamSynchronize(site_.stream.get()), "wait for copies");
    return {.seconds = core::steady_seconds() - begin_s};
  }
  core::Verification check() { return copy_.verify(); }

  /// Reads the link while copies run.
  void sampling_ends() {
    copy_.enqueue();  // wakes a link at rest
    // At the same time as this thread, which pageable memory keeps until its copies are done.
    auto link = std::async(std::launch::async, [this] { return trained_link(site_.device.pci_address); });
    for (std::int64_t i = copies_under_way(way_.bytes); i > 0; --i) copy_.enqueue();
    link_ = link.get();
    cuda::check(cudaStreamSynchronize(site_.stream.get()), "wait for copies");
  }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    std::vector<core::Metric> all;
    if (way_.direction == CopyDirection::both)
      add_rates_apart(all, {"to_device_gb_per_s", "to_host_gb_per_s"}, way_.bytes,
                      [this] { return copy_.time_each(); });
    const double seconds = measurement.interval.estimate;
    if (seconds > 0) one_way_gb_per_s_ = static_cast<double>(way_.bytes) / seconds * 1e-9;
    if (const auto percent = percent_of_link(link_, one_way_gb_per_s_); percent && seconds > 0)
      all.push_back({"percent_of_link", "%", *percent});
    return all;
  }

  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> all{{"timed_by", way_.is_queued() ? "events behind a gate" : "the host's clock"}};
    if (way_.by == CopyBy::sm) all.emplace_back("blocks", std::int64_t{way_.blocks});
    for (core::Fact& fact : link_facts(link_, one_way_gb_per_s_)) all.push_back(std::move(fact));
    return all;
  }

 private:
  CopyWay way_;
  Site& site_;
  HostCopy copy_;
  std::optional<HostLink> link_;
  double one_way_gb_per_s_ = 0;  // 0: not measured
};

}  // namespace

std::vector<core::Case> copy_cases(const Surroundings& around) {
  return {core::case_of<HostCopyCase>(around)};
}

}  // namespace assay::offload
