// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline_cases.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/host/available_memory.hpp"
#include "offload/pipeline/pipeline_trial.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

/// All CPUs but the one that copies.
std::int64_t computing_cpus(const machine::Machine& machine) { return std::max(1, machine.cpu.threads - 1); }

std::vector<Axis> axes(const machine::Machine& machine) {
  const std::int64_t all = computing_cpus(machine);
  return {{"model", "a preset's name or a model file (.toml)", Domain::words, {Value("llama3-8b")}},
          {"shrink",
           "divides the model's feature and head counts; 1: as it is",
           Domain::integers,
           {std::int64_t{4}}},
          {"tp", "tensor-parallel degree", Domain::integers, {std::int64_t{1}}},
          {"tokens",
           "tokens of a microbatch: sequence length times sequences",
           Domain::integers,
           {std::int64_t{64}}},
          {"dtype", "type of weights and activations", Domain::words, {Value("bf16")}, {"bf16", "fp32"}},
          {"blocks", "transformer blocks of a step", Domain::integers, {std::int64_t{8}}},
          {"resident",
           "slots for blocks in the near memory: one computing, the others under way",
           Domain::integers,
           {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}}},
          cap_axis("of each direction: GB/s above 0, or unlimited",
                   {Value("1"), Value("2"), Value("5"), Value("10"), Value("25"), Value("unlimited")}),
          {"compute_threads",
           "bound OpenMP threads; one more thread copies",
           Domain::integers,
           {all},
           {},
           {{"all", all}}},
          node_axis("near", "NUMA node of the slots and of the threads; local: where they run"),
          node_axis("far", "NUMA node that holds all blocks; local: where the threads run")};
}

int count(const core::Point& point, const char* name, std::int64_t least, std::int64_t most = 1 << 20) {
  return static_cast<int>(within(point, name, least, most));
}

std::vector<core::Fact> derived(const core::Point& point) {
  const PipelineSettings settings = pipeline_settings(point);
  return {{"block_weight_bytes", settings.block.weight_bytes},
          {"block_activation_bytes", settings.block.activation_bytes},
          {"near_bytes", near_bytes(settings.block, settings.shape)},
          {"far_bytes", far_bytes(settings.block, settings.shape)}};
}

core::Work work(const core::Point& point) {
  const PipelineSettings settings = pipeline_settings(point);
  return {.bytes = static_cast<double>(far_bytes(settings.block, settings.shape)),
          .flops = settings.shape.blocks * settings.block.flops,
          .bytes_counted = "every block's weights to the near memory and its activations back, once each"};
}

}  // namespace

PipelineSettings pipeline_settings(const core::Point& point) {
  const workload::Transformer model =
      workload::shrunk(workload::find_model(point.text("model")), point.integer("shrink"));
  const workload::Dtype dtype = workload::dtype_from(point.text("dtype"));
  return {.block = block_of(model, count(point, "tp", 1), count(point, "tokens", 1), dtype),
          .dtype = dtype,
          .shape = {.blocks = count(point, "blocks", 1), .resident = count(point, "resident", 2, 64)},
          .cap_gb_per_s = parse_cap(point.text("cap_gb_per_s")),
          .compute_threads = count(point, "compute_threads", 1),
          .near_node = count(point, "near", -1),
          .far_node = count(point, "far", -1)};
}

std::optional<std::string> cannot_run(const machine::Machine& machine, const PipelineSettings& settings,
                                      const std::function<std::int64_t(int)>& available_bytes) {
  if (auto why = missing_node(machine, {settings.near_node, settings.far_node})) return why;
  if (settings.compute_threads + 1 > machine.cpu.threads)
    return fmt::format("compute_threads={} and one that copies need {} CPUs, this process may use {}",
                       settings.compute_threads, settings.compute_threads + 1, machine.cpu.threads);
  const workload::HostLibrary& library = workload::host_library(settings.dtype);
  for (const BlockProduct& product : settings.block.products)
    if (auto reason = library.unsupported(product.problem)) return reason;
  const std::int64_t near = near_bytes(settings.block, settings.shape),
                     far = far_bytes(settings.block, settings.shape);
  const std::string slots = fmt::format("the near memory of {} resident blocks", settings.shape.resident);
  if (settings.near_node == settings.far_node)
    return does_not_fit(slots + " and the far one of all", near + far, available_bytes(settings.near_node));
  if (auto reason = does_not_fit(slots, near, available_bytes(settings.near_node))) return reason;
  return does_not_fit("the far memory of all blocks", far, available_bytes(settings.far_node));
}

core::Case pipeline_case(const machine::Machine& machine) {
  return {.name = "offload.host.pipeline",
          .measures = "transformer blocks fetched from far memory and written back while others compute",
          .headline = core::Headline::time_us,
          .axes = axes(machine),
          .work = work,
          .derived = derived,
          .unsupported =
              [machine](const core::Point& point) {
                return cannot_run(machine, pipeline_settings(point),
                                  [](int node) { return host::available_memory_bytes(node); });
              },
          .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<PipelineTrial>(pipeline_settings(point));
          }};
}

}  // namespace assay::offload
