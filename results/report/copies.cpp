// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/copies.hpp"

#include "results/report/charts/copy.hpp"
#include "results/report/parts.hpp"
#include "results/show/tables.hpp"

namespace assay::results {

std::string copies_section(const RunPoints& run, const ShowOptions& options) {
  const Table table = show_copies(run, options);
  if (table.rows.empty()) return "";
  const auto points = copy_points(run);
  std::string html;
  if (!copy_chart(points).at("points").empty())
    html += figure("copies", table.title,
                   "Bandwidth over the bytes copied each way; both ways, and several GPUs, counted together. "
                   "Dashed: what the link's rate and coding leave, where the record tells it.");
  if (!copy_matrices(points).at("matrices").empty())
    html += figure("copy_matrices", "GPU against NUMA node",
                   "GB/s at the largest size: the GPU in the row, the NUMA node of the host's memory in the "
                   "column. The stronger the color, the faster; half of the fastest is pale.");
  if (!peer_matrices(points).at("matrices").empty())
    html += figure("peer_matrices", "From GPU to GPU",
                   "GB/s at the largest size: from the GPU in the row to the GPU in the column. The stronger "
                   "the color, the faster; half of the fastest is pale.");
  return section("copies", "Host and GPU copies", html + numbers("Copies", table));
}

}  // namespace assay::results
