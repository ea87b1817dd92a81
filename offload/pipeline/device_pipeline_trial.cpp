// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device_pipeline_trial.hpp"

#include <utility>

namespace assay::offload {

DevicePipelineTrial::DevicePipelineTrial(const DevicePipelineSettings& settings)
    : settings_(settings), site_({settings.gpu}), pipeline_(settings, site_) {}

core::Timing DevicePipelineTrial::do_run(std::int64_t iterations) {
  return sample_steps([this] { return pipeline_.run_all(site_.timer); }, iterations, samples_);
}

void DevicePipelineTrial::do_sampling_begins() {
  samples_.clear();
  site_.sampling_begins();
}

void DevicePipelineTrial::do_sampling_ends() {
  site_.sampling_ends();
  pipeline_.while_fetching([this] { link_ = trained_link(site_.device.pci_address); });
}

std::vector<core::Metric> DevicePipelineTrial::do_metrics(const core::Measurement&) {
  std::vector<core::Metric> all = site_.metrics();
  for (core::Metric& metric : step_metrics(settings_, samples_)) all.push_back(std::move(metric));
  return all;
}

std::vector<core::Fact> DevicePipelineTrial::do_facts() {
  std::vector<core::Fact> all = site_.facts();
  all.emplace_back("library", workload::CublasLt::library().version());
  all.emplace_back("algorithm", "cublaslt: " + pipeline_.algorithm());
  all.emplace_back("queued", pipeline_.is_gated() ? "behind a gate" : "by the host while the device works");
  if (settings_.is_capped()) all.emplace_back("piece_bytes", device_piece_bytes);
  for (core::Fact& fact : link_facts(link_)) all.push_back(std::move(fact));
  for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) all.push_back(std::move(fact));
  return all;
}

}  // namespace assay::offload
