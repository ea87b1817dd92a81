// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/congestion.hpp"

#include <algorithm>
#include <cmath>

namespace assay::model::fabric {

namespace {

constexpr double gbit_per_s_of_bytes_per_us = 8e-3;

}  // namespace

DcqcnSettings dcqcn_of(const FabricModel& model, const StepPlan& step, const CongestedLink& congested) {
  DcqcnSettings settings = *model.file().rate_control;
  settings.link_gbit_per_s = gbit_per_s_of_bytes_per_us * model.capacity(congested.link);
  settings.flow_gbit_per_s = model.file().rate_control->link_gbit_per_s / model.parts();
  settings.flows = congested.flows;
  settings.feedback_delay_s = 1e-6 * 2 * step.latency_us / step.step.latency_steps;
  return settings;
}

std::optional<CongestedLink> congested_link(const FabricModel& model, const StepPlan& step,
                                            std::span<const double> bytes_of_links) {
  if (!model.file().rate_control) return std::nullopt;
  CongestedLink congested;
  double longest_us = 0;
  for (LinkId link = 0; link < model.topology().links(); ++link) {
    const double us = bytes_of_links[link] > 0 ? bytes_of_links[link] / model.capacity(link) : 0;
    if (us <= longest_us) continue;
    longest_us = us;
    congested.link = link;
  }
  if (longest_us <= 0) return std::nullopt;
  const double bytes = bytes_of_links[congested.link];
  congested.flows = std::max(1, static_cast<int>(std::lround(bytes / step.flow_bytes)));
  if (congested.flows > 1)
    congested.start = start_of_dcqcn(dcqcn_of(model, step, congested), step.step.repeats * bytes);
  return congested;
}

}  // namespace assay::model::fabric
