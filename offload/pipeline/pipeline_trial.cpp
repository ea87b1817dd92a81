// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline_trial.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/core/units.hpp"
#include "offload/median_metric.hpp"
#include "offload/pipeline/prediction.hpp"

namespace assay::offload {
namespace {

BlockTimes alone(const PipelineShape& shape, const StepParts& parts) {
  const double blocks = shape.blocks;
  return {parts.compute_s / blocks, parts.fetch_s / blocks, parts.write_s / blocks};
}

double share(const StepParts& parts) { return direction_share(parts.fetch_s, parts.write_s, parts.both_s); }

double in_gb_per_s(double bytes, const StepParts& parts) {
  return core::gb_per_s(bytes, parts.fetch_beside_s);
}
double out_gb_per_s(double bytes, const StepParts& parts) {
  return core::gb_per_s(bytes, parts.write_beside_s);
}

}  // namespace

double predicted_s(const PipelineShape& shape, const StepParts& parts) {
  return predicted_step_s(shape, alone(shape, parts),
                          {.compute = parts.compute_beside_s / parts.compute_s,
                           .copy = parts.both_beside_s / parts.both_s,
                           .direction_share = share(parts)});
}

double interference_s(const PipelineShape& shape, const StepParts& parts) {
  return predicted_s(shape, parts) -
         predicted_step_s(shape, alone(shape, parts), {.direction_share = share(parts)});
}

std::string bandwidth_verdict(double asked_gb_per_s, double cap_gb_per_s, double in, double out) {
  if (cap_gb_per_s < asked_gb_per_s) return fmt::format("not asked: capped at {:g} GB/s", cap_gb_per_s);
  return fmt::format("{}: {:.3g} GB/s in and {:.3g} GB/s out, both at once beside the products",
                     std::min(in, out) >= asked_gb_per_s ? "met" : "not met", in, out);
}

core::Timing PipelineTrial::run(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    parts_.push_back(pipeline_.run_all());
    timing.each_s.push_back(parts_.back().step_s);
    timing.seconds += parts_.back().step_s;
  }
  return timing;
}

void PipelineTrial::sampling_begins() {
  parts_.clear();
  counters_.begin();
}

std::vector<core::Metric> PipelineTrial::metrics(const core::Measurement&) {
  if (parts_.empty()) return {};
  const PipelineShape& shape = settings_.shape;
  const double in = static_cast<double>(shape.blocks * settings_.block.weight_bytes);
  const double out = static_cast<double>(shape.blocks * settings_.block.activation_bytes);
  const auto us = [&](const char* name, double StepParts::* part) {
    return median_metric(parts_, name, "us", [part](const StepParts& one) { return 1e6 * one.*part; });
  };
  const auto rate = [&](const char* name, double bytes, double StepParts::* part) {
    return median_metric(parts_, name, "GB/s",
                         [=](const StepParts& one) { return core::gb_per_s(bytes, one.*part); });
  };
  return {us("compute_only_us", &StepParts::compute_s),
          us("transfer_only_us", &StepParts::both_s),
          us("compute_beside_us", &StepParts::compute_beside_s),
          us("transfer_beside_us", &StepParts::both_beside_s),
          rate("sustained_in_gb_per_s", in, &StepParts::step_s),
          rate("sustained_out_gb_per_s", out, &StepParts::step_s),
          rate("reached_in_gb_per_s", in, &StepParts::fetch_beside_s),
          rate("reached_out_gb_per_s", out, &StepParts::write_beside_s),
          rate("hiding_in_gb_per_s", in, &StepParts::compute_s),
          rate("hiding_out_gb_per_s", out, &StepParts::compute_s),
          median_metric(parts_, "max_of_parts_us", "us",
                        [](const StepParts& one) { return 1e6 * std::max(one.compute_s, one.both_s); }),
          median_metric(parts_, "interference_us", "us",
                        [&](const StepParts& one) { return 1e6 * interference_s(shape, one); }),
          median_metric(parts_, "predicted_us", "us",
                        [&](const StepParts& one) { return 1e6 * predicted_s(shape, one); }),
          median_metric(parts_, "deviation_percent", "%", [&](const StepParts& one) {
            return 100 * (one.step_s / predicted_s(shape, one) - 1);
          })};
}

std::vector<core::Fact> PipelineTrial::facts() {
  std::vector<core::Fact> facts = counters_.facts();
  facts.emplace_back("cpus", host::cpu_list(pipeline_.cpus()));
  facts.emplace_back("copying_cpu", std::int64_t{pipeline_.cpus().back()});
  facts.emplace_back("library", workload::host_library(settings_.dtype).version());
  facts.emplace_back("algorithm", pipeline_.algorithm());
  facts.emplace_back("huge_page_bytes", pipeline_.memory().huge_page_bytes());
  if (parts_.empty()) return facts;
  const double in_bytes = static_cast<double>(settings_.shape.blocks * settings_.block.weight_bytes);
  const double out_bytes = static_cast<double>(settings_.shape.blocks * settings_.block.activation_bytes);
  const double in = median_metric(parts_, "reached_in", "GB/s", [&](const StepParts& one) {
                      return in_gb_per_s(in_bytes, one);
                    }).value;
  const double out = median_metric(parts_, "reached_out", "GB/s", [&](const StepParts& one) {
                       return out_gb_per_s(out_bytes, one);
                     }).value;
  for (const int asked : {25, 50, 100})
    facts.emplace_back(fmt::format("reaches_{}_gb_per_s", asked),
                       bandwidth_verdict(asked, settings_.cap_gb_per_s, in, out));
  return facts;
}

}  // namespace assay::offload
