// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/step_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "offload/pipeline/prediction.hpp"

namespace assay::offload {
namespace {

BlockTimes alone(const PipelineShape& shape, const StepParts& parts) {
  const double blocks = shape.blocks;
  return {parts.compute_s / blocks, parts.fetch_s / blocks, parts.write_s / blocks};
}

double share(const StepParts& parts) { return direction_share(parts.fetch_s, parts.write_s, parts.both_s); }

double median_rate(const std::vector<StepParts>& samples, double bytes, double StepParts::* part) {
  return core::median_metric(samples, "", "GB/s",
                             [=](const StepParts& one) { return core::gb_per_s(bytes, one.*part); })
      .value;
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
  return fmt::format("{}: {:.3g} GB/s in and {:.3g} GB/s out, both at once during the products",
                     std::min(in, out) >= asked_gb_per_s ? "met" : "not met", in, out);
}

core::Timing sample_steps(const std::function<StepParts()>& sample, std::int64_t iterations,
                          std::vector<StepParts>& samples) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    samples.push_back(sample());
    timing.each_s.push_back(samples.back().step_s);
    timing.seconds += samples.back().step_s;
  }
  return timing;
}

ReachedBandwidth reached(const StepSettings& step, const std::vector<StepParts>& samples) {
  return {median_rate(samples, step.in_bytes(), &StepParts::fetch_beside_s),
          median_rate(samples, step.out_bytes(), &StepParts::write_beside_s)};
}

std::vector<core::Metric> step_metrics(const StepSettings& step, const std::vector<StepParts>& samples) {
  if (samples.empty()) return {};
  const auto us = [&](const char* name, double StepParts::* part) {
    return core::median_metric(samples, name, "us", [part](const StepParts& one) { return 1e6 * one.*part; });
  };
  const auto rate = [&](const char* name, double bytes, double StepParts::* part) {
    return core::median_metric(samples, name, "GB/s",
                               [=](const StepParts& one) { return core::gb_per_s(bytes, one.*part); });
  };
  return {us(core::names::compute_only_us, &StepParts::compute_s),
          us(core::names::transfer_only_us, &StepParts::both_s),
          us("compute_beside_us", &StepParts::compute_beside_s),
          us("transfer_beside_us", &StepParts::both_beside_s),
          rate(core::names::sustained_in_gb_per_s, step.in_bytes(), &StepParts::step_s),
          rate("sustained_out_gb_per_s", step.out_bytes(), &StepParts::step_s),
          rate(core::names::reached_in_gb_per_s, step.in_bytes(), &StepParts::fetch_beside_s),
          rate(core::names::reached_out_gb_per_s, step.out_bytes(), &StepParts::write_beside_s),
          rate(core::names::hiding_in_gb_per_s, step.in_bytes(), &StepParts::compute_s),
          rate("hiding_out_gb_per_s", step.out_bytes(), &StepParts::compute_s),
          core::median_metric(samples, "max_of_parts_us", "us",
                              [](const StepParts& one) { return 1e6 * std::max(one.compute_s, one.both_s); }),
          core::median_metric(samples, core::names::interference_us, "us",
                              [&](const StepParts& one) { return 1e6 * interference_s(step.shape, one); }),
          core::median_metric(samples, core::names::predicted_us, "us",
                              [&](const StepParts& one) { return 1e6 * predicted_s(step.shape, one); }),
          core::median_metric(samples, core::names::deviation_percent, "%", [&](const StepParts& one) {
            return 100 * (one.step_s / predicted_s(step.shape, one) - 1);
          })};
}

std::vector<core::Fact> bandwidth_verdicts(const StepSettings& step, const std::vector<StepParts>& samples) {
  if (samples.empty()) return {};
  const ReachedBandwidth seen = reached(step, samples);
  std::vector<core::Fact> facts;
  for (const int asked : {25, 50, 100})
    facts.emplace_back(fmt::format("reaches_{}_gb_per_s", asked),
                       bandwidth_verdict(asked, step.cap_gb_per_s, seen.in_gb_per_s, seen.out_gb_per_s));
  return facts;
}

}  // namespace assay::offload
