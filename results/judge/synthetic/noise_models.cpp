// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/synthetic/noise_models.hpp"

namespace assay::results {
namespace {

FleetShape quiet(int nodes) {
  return {.nodes = nodes,
          .nodes_per_pod = 8,
          .metrics = 5,
          .products = 3,
          .noise_shape = NoiseShape::normal,
          .silicon = 0,
          .node = 0,
          .rack = 0,
          .time_of_day = 0};
}

}  // namespace

std::vector<NoiseModel> noise_models(int nodes) {
  std::vector<NoiseModel> models{{"normal", quiet(nodes)},
                                 {"Student's t, 3 degrees", quiet(nodes)},
                                 {"skewed", quiet(nodes)},
                                 {"racks 0.5 %", quiet(nodes)},
                                 {"drift over the day 1.5 %", quiet(nodes)},
                                 {"nodes 0.3 %", quiet(nodes)},
                                 {"silicon 1.5 %", quiet(nodes)}};
  models[1].shape.noise_shape = NoiseShape::student_t;
  models[1].shape.tail_degrees = 3;
  models[2].shape.noise_shape = NoiseShape::skewed;
  models[3].shape.rack = 0.005;
  models[4].shape.time_of_day = 0.015;
  models[5].shape.node = 0.003;
  models[6].shape.silicon = 0.015;
  return models;
}

}  // namespace assay::results
