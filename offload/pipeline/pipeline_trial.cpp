// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline_trial.hpp"

#include <utility>

namespace assay::offload {

void PipelineTrial::do_sampling_begins() {
  samples_.clear();
  counters_.begin();
}

std::vector<core::Fact> PipelineTrial::do_facts() {
  std::vector<core::Fact> facts = counters_.facts();
  facts.emplace_back("cpus", host::cpu_list(pipeline_.cpus()));
  facts.emplace_back("copying_cpu", std::int64_t{pipeline_.cpus().back()});
  facts.emplace_back("library", workload::host_library(settings_.dtype).version());
  facts.emplace_back("algorithm", pipeline_.algorithm());
  facts.emplace_back("huge_page_bytes", pipeline_.memory().huge_page_bytes());
  for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::offload
