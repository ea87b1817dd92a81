// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device_pipeline_trial.hpp"

#include <utility>

namespace assay::offload {

DevicePipelineTrial::DevicePipelineTrial(const DevicePipelineSettings& settings, cuda::GatedSite& site)
    : settings_(settings), site_(site), pipeline_(settings, site_) {}

core::Timing DevicePipelineTrial::enqueue(std::int64_t iterations) {
  return sample_steps([this] { return pipeline_.run_all(site_.timer); }, iterations, samples_);
}

void DevicePipelineTrial::sampling_ends() {
  pipeline_.while_fetching([this] { link_ = trained_link(site_.device.pci_address); });
}

std::vector<core::Metric> DevicePipelineTrial::metrics(const core::Measurement&) {
  return step_metrics(settings_, samples_);
}

std::vector<core::Fact> DevicePipelineTrial::facts() {
  std::vector<core::Fact> all{
      {"library", workload::CublasLt::library().version()},
      {"algorithm", "cublaslt: " + pipeline_.algorithm()},
      {"queued", pipeline_.is_gated() ? "behind a gate" : "by the host while the device works"}};
  if (settings_.is_capped()) all.emplace_back("piece_bytes", device_piece_bytes);
  for (core::Fact& fact : link_facts(link_)) all.push_back(std::move(fact));
  for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) all.push_back(std::move(fact));
  return all;
}

}  // namespace assay::offload
