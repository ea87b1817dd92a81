// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Efficiency of transformer blocks against the tensor-parallel degree, a point for each layer and block:
// {points: [{back_end, series, layer, tp, value, lower, upper, tflops}], same}.
#include "results/points/kinds/gemm_efficiency.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

Json gemm_point(const BlockEfficiency& block, const LayerEfficiency& layer, const std::string& series) {
  Json object{{"back_end", block.back_end},
              {"series", series},
              {"layer", layer.layer},
              {"tp", block.tensor_parallel}};
  if (const auto efficiency = layer.efficiency()) chart::put(object, *efficiency, 100);
  object["tflops"] = chart::number(layer.tflops().value);
  return object;
}

}  // namespace

Json gemm_chart(const RunPoints& run) {
  const auto blocks = block_efficiencies(run.different("gemm.*.transformer"));
  const chart::Series series(axes_of(blocks), {});
  Json points = Json::array();
  for (const BlockEfficiency& block : blocks) {
    for (const LayerEfficiency& layer : block.layers)
      points.push_back(gemm_point(block, layer, series.name_of(block.group)));
    if (const auto whole = block.block())
      points.push_back(gemm_point(block, *whole, series.name_of(block.group)));
  }
  return series.chart_of(std::move(points));
}

}  // namespace assay::results
