// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/schedule.hpp"

#include <algorithm>

namespace assay::model {

Schedule::Schedule(const Application& application, const Execution& execution) {
  const std::int64_t p = execution.pipeline_par;
  const std::int64_t on_first = (application.num_blocks + p - 1) / p;
  const std::int64_t left = application.num_blocks % p;
  stages = static_cast<double>(p);
  microbatches = static_cast<double>(execution.microbatches());
  chunks = static_cast<double>(execution.interleaving);
  blocks = static_cast<double>(on_first);
  const std::int64_t in_chunk = on_first / execution.interleaving;
  base_blocks = static_cast<double>(in_chunk - 1);
  kind = execution.schedule;
  short_stages = left == 0 ? 0 : static_cast<double>(p - left);
}

double Schedule::in_flight() const {
  if (kind == PipelineSchedule::dualpipe) return stages + 1;  // of both directions together
  const double interleaved = chunks > 1 ? 1 + (stages - 1) / (chunks * stages) : 1;
  return std::min(microbatches, stages) * interleaved;
}

double Schedule::in_flight_on_last() const {
  if (kind == PipelineSchedule::dualpipe) return in_flight();
  return std::min(microbatches, ((chunks - 1) * stages + 1) / chunks);
}

double Schedule::last_round() const {
  const auto rest =
      static_cast<double>(static_cast<std::int64_t>(microbatches) % static_cast<std::int64_t>(stages));
  return rest == 0 ? stages : rest;
}

}  // namespace assay::model
