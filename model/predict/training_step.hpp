// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A predicted step as what every GPU computes and exchanges, in streams that a fabric can be asked about.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/predict/prediction.hpp"

namespace assay::model {

/// Bytes are those of the collective's whole vector; groups as rank_groups.hpp of model/fabric has them.
struct StepOperation {
  std::string name;
  double compute_s = 0;  // of an operation without traffic
  Collective collective = Collective::p2p;
  std::string among = {}, groups = {};  // "tensor", "0:64:1:8"
  double bytes = 0;
  double times = 1;
};

/// One operation after the other.
struct StepStream {
  std::string name;
  std::vector<std::string> after = {};  // streams that end before it begins
  std::vector<StepOperation> operations = {};
};

struct TrainingStep {
  std::vector<StepStream> streams = {};
  double processor_usage = 0;  // of compute that the exchange of gradients takes while it runs
};

/// Of a feasible prediction. Ranks count along tensor parallelism first, then pipeline, then data. What
/// overlaps is a stream of its own, its operations of one kind added up into one: exchanges of tiled layers
/// next to all passes, and the exchange of gradients next to the backward pass of the last microbatch, but
/// for that of the last block. Bubble, embedding and head are compute.
TrainingStep training_step(const Configuration& configuration, const Prediction& prediction);

/// As a workload of `assay fabric`: {"name", "ranks", "processor_usage", "stream": [{"name", "after", "op":
/// [...]}]}.
nlohmann::json to_json(const Configuration& configuration, const TrainingStep& step);

}  // namespace assay::model
