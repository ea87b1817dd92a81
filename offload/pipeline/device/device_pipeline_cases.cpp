// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU: every sample has the step and its parts, one after the other.
#include <optional>
#include <string>
#include <utility>

#include "harness/host/available_memory.hpp"
#include "offload/copy/host_link.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/pipeline/device/device_pipeline.hpp"
#include "offload/pipeline/device/device_pipeline_declarations.hpp"
#include "offload/pipeline/step_metrics.hpp"

namespace assay::offload {
namespace {

class DevicePipelineCase : public DeclaredDevicePipeline {
 public:
  using Site = cuda::GatedSite;
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    if (auto why = workload::CublasLt::unavailable()) return why;
    return why_no_space(around.machine, settings, free_device_bytes(settings.gpu),
                        host::available_memory_bytes(settings.far_node));
  }
  DevicePipelineCase(const Settings& settings, Site& site)
      : settings_(settings), site_(site), pipeline_(settings, site_) {}

  core::Timing enqueue(std::int64_t iterations) {
    return sample_steps([this] { return pipeline_.run_all(site_.timer); }, iterations, samples_);
  }
  core::Verification check() { return pipeline_.verify(); }
  void sampling_begins() { samples_.clear(); }
  /// Reads the link while blocks are fetched.
  void sampling_ends() {
    pipeline_.while_fetching([this] { link_ = trained_link(site_.device.pci_address); });
  }
  std::vector<core::Metric> metrics(const core::Measurement&) const {
    return step_metrics(settings_, samples_);
  }
  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> all{
        {"library", workload::CublasLt::library().version()},
        {"algorithm", "cublaslt: " + pipeline_.algorithm()},
        {"queued", pipeline_.is_gated() ? "behind a gate" : "by the host while the device works"}};
    if (settings_.is_capped()) all.emplace_back("piece_bytes", device_piece_bytes);
    for (core::Fact& fact : link_facts(link_)) all.push_back(std::move(fact));
    for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) all.push_back(std::move(fact));
    return all;
  }

 private:
  DevicePipelineSettings settings_;
  Site& site_;
  DevicePipeline pipeline_;
  std::optional<HostLink> link_;
  std::vector<StepParts> samples_;
};

}  // namespace

std::vector<core::Case> device_pipeline_cases(const Surroundings& around) {
  return {core::case_of<DevicePipelineCase>(around)};
}

}  // namespace assay::offload
