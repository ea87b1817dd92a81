// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline_trial.hpp"

#include <utility>

namespace assay::offload {

std::vector<core::Fact> PipelineTrial::facts() {
  std::vector<core::Fact> facts{{"cpus", host::cpu_list(pipeline_.cpus())},
                                {"copying_cpu", std::int64_t{pipeline_.cpus().back()}},
                                {"library", workload::host_library(settings_.dtype).version()},
                                {"algorithm", pipeline_.algorithm()},
                                {"huge_page_bytes", pipeline_.memory().huge_page_bytes()}};
  for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::offload
