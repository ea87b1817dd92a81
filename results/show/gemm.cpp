// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "results/points/kinds/gemm_efficiency.hpp"
#include "results/points/kinds/moving_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

std::vector<Cell> cells_of(const BlockEfficiency& block) {
  std::vector<Cell> cells{block.tensor_parallel};
  for (const auto* name : {"qkv", "attention_output", "up_gate", "down"}) {
    const auto layer = std::ranges::find(block.layers, name, &LayerEfficiency::layer);
    cells.push_back(layer == block.layers.end() ? Cell() : percent_cell(layer->efficiency()));
  }
  const auto whole = block.block();
  cells.push_back(percent_cell(whole ? whole->efficiency() : std::nullopt));
  cells.push_back(whole ? Cell(whole->tflops()) : Cell());
  std::int64_t n = 0;
  for (const auto& layer : block.layers) n += layer.n;
  cells.emplace_back(n);
  return cells;
}

}  // namespace

Table show_gemm(const RunPoints& run, const ShowOptions& options) {
  const auto points = run.different(options.filter.empty() ? "gemm.*.transformer" : options.filter);
  const auto blocks = block_efficiencies(points);
  AxesTable shown(title_of("GEMM efficiency against tensor-parallel degree", run),
                  {{"back end", "", Kind::text, true}}, axis_columns(axes_of(blocks)),
                  {{"tp", "", Kind::count},
                   {"qkv", "%", Kind::number},
                   {"attention output", "%", Kind::number},
                   {"up/gate", "%", Kind::number},
                   {"down", "%", Kind::number},
                   {"whole block", "%", Kind::number},
                   {"block", "TFLOP/s", Kind::number},
                   {"n", "", Kind::count}});
  bool incomplete = false, without_peak = false;
  for (const BlockEfficiency& block : blocks) {
    shown.add({block.back_end}, block.group, cells_of(block));
    incomplete = incomplete || !block.missing.empty();
    for (const auto& layer : block.layers) without_peak = without_peak || !layer.efficiency();
  }
  Table& table = shown.table;
  table.notes.push_back(
      "Percent of the peak each record names. The block is time-weighted: its FLOPs / (its time x peak); "
      "its bounds take every layer at the same end of its interval.");
  if (incomplete) table.notes.push_back("A block with a layer that has no ok point shows no whole.");
  if (std::string note = moving_note(run, points); !note.empty()) table.notes.push_back(std::move(note));
  if (without_peak) table.notes.push_back("No efficiency where the record names no peak.");
  return table;
}

}  // namespace assay::results
