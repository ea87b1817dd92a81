// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU: every sample has the step and its parts, one after the other.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/host/available_memory.hpp"
#include "offload/cases.hpp"
#include "offload/copy/host_link.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/pipeline/device_pipeline.hpp"
#include "offload/pipeline/step_metrics.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Value;

std::vector<core::Axis> device_pipeline_axes() {
  std::vector<core::Axis> axes =
      step_axes({.models = {Value("gpt3-175b"), Value("llama3-405b"), Value("megatron-1t")},
                 .residents = {std::int64_t{2}, std::int64_t{3}},
                 .caps = {Value("5"), Value("10"), Value("25"), Value("50"), Value("unlimited")},
                 .tp = 8,
                 .tokens = 2048,
                 .blocks = 4});
  axes.push_back(node_axis("far", "NUMA node of the pinned memory that holds all blocks; local: any"));
  axes.push_back(cuda::gpu_axis());
  return axes;
}

class DevicePipelineCase {
 public:
  using Site = cuda::GatedSite;
  struct Settings : DevicePipelineSettings {
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.pipeline";
  static constexpr std::string_view measures =
      "transformer blocks fetched from pinned memory and written back while others compute";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes() { return device_pipeline_axes(); }
  static Settings settings(const core::Point& point) {
    const DevicePipelineSettings settings = device_pipeline_settings(point);
    return {settings, {settings.gpu}};
  }
  static core::Work work(const Settings& settings) { return step_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return step_derived(settings); }
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
