// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_trial.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "harness/core/measure.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "offload/clock.hpp"
#include "offload/copy/rates_apart.hpp"

namespace assay::offload {
namespace {

/// Of copies while the link is read: up to some ten milliseconds of them, which NVML may take to answer.
std::int64_t copies_under_way(std::int64_t bytes) {
  return std::clamp<std::int64_t>(512 * core::mib / bytes, 8, 256);
}

}  // namespace

CopyTrial::CopyTrial(const CopyWay& way, cuda::GatedSite& site)
    : way_(way), site_(site), copy_(way, site_.stream.get()) {}

core::Timing CopyTrial::enqueue(std::int64_t iterations) {
  if (way_.is_queued()) return site_.timer.run(iterations, copy_.launches(), [this] { copy_.enqueue(); });
  const double begin_s = now_s();
  for (std::int64_t i = 0; i < iterations; ++i) copy_.enqueue();
  cuda::check(cudaStreamSynchronize(site_.stream.get()), "wait for copies");
  return {.seconds = now_s() - begin_s};
}

void CopyTrial::sampling_ends() {
  copy_.enqueue();  // wakes a link at rest
  // Beside this thread, which pageable memory keeps until its copies are done.
  auto link = std::async(std::launch::async, trained_link, site_.device.pci_address);
  for (std::int64_t i = copies_under_way(way_.bytes); i > 0; --i) copy_.enqueue();
  link_ = link.get();
  cuda::check(cudaStreamSynchronize(site_.stream.get()), "wait for copies");
}

std::vector<core::Metric> CopyTrial::metrics(const core::Measurement& measurement) {
  std::vector<core::Metric> all;
  if (way_.direction == CopyDirection::both)
    add_rates_apart(all, {"to_device_gb_per_s", "to_host_gb_per_s"}, way_.bytes,
                    [this] { return copy_.time_each(); });
  const auto ceiling = link_ ? link_->ceiling_gb_per_s() : std::nullopt;
  const double seconds = measurement.interval.estimate;
  if (ceiling && seconds > 0)
    all.push_back(
        {"percent_of_link", "%", static_cast<double>(way_.bytes) / seconds * 1e-9 / *ceiling * 100});
  return all;
}

std::vector<core::Fact> CopyTrial::facts() {
  std::vector<core::Fact> all{{"timed_by", way_.is_queued() ? "events behind a gate" : "the host's clock"}};
  if (way_.by == CopyBy::sm) all.emplace_back("blocks", std::int64_t{way_.blocks});
  for (core::Fact& fact : link_facts(link_)) all.push_back(std::move(fact));
  return all;
}

}  // namespace assay::offload
