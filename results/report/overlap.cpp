// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/overlap.hpp"

#include "results/report/charts/interference.hpp"
#include "results/report/charts/overlap.hpp"
#include "results/report/parts.hpp"

namespace assay::results {
namespace {

std::string pipeline(const Table& table) {
  if (table.rows.empty()) return "";
  return section(
      "pipeline", "Block pipeline: copying beside computing",
      chart_figure("pipeline", "Block pipeline",
                   "Time of a step of transformer blocks over the cap of their copies. Dashed: computing "
                   "alone, mean of the points. Rings: predicted from what the parts take alone and "
                   "beside each other.",
                   table));
}

std::string interference(const std::vector<OverlapPoint>& points) {
  if (points.empty()) return "";
  std::string html;
  if (!interference_chart(points).at("points").empty())
    html += figure("interference", "Interference",
                   "Time of the victim (row) beside the aggressor (column) over its time alone. An aggressor "
                   "that was measured with one number of thread blocks or threads stands in every matrix.");
  if (!slowdown_chart(points).at("points").empty())
    html +=
        figure("slowdown", "Slowdown over the aggressor's size",
               "Time of the victim beside a growing aggressor over its time alone. Gray, dotted: beside "
               "as many blocks or threads that only spin. Dashed: predicted for a matrix product from "
               "the multiprocessors that are taken and its tiles. Rings at 0: nobody beside it, a control.");
  return section("interference", "Interference: who slows down whom",
                 html + numbers("Interference", interference_table(points)));
}

}  // namespace

std::string overlap_sections(const RunPoints& run) {
  return pipeline(pipeline_table(pipeline_points(run))) + interference(interference_points(run));
}

}  // namespace assay::results
