// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/axis_columns.hpp"
#include "results/points/gemm_efficiency.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell percent_of_layer(const std::optional<LayerEfficiency>& layer) {
  const auto efficiency = layer ? layer->efficiency() : std::nullopt;
  if (!efficiency) return {};
  const auto scaled = [](std::optional<double> value) { return value ? std::optional(100 * *value) : value; };
  return Number{100 * efficiency->value, scaled(efficiency->lower), scaled(efficiency->upper)};
}

std::optional<LayerEfficiency> layer_named(const BlockEfficiency& block, const std::string& name) {
  for (const LayerEfficiency& layer : block.layers)
    if (layer.layer == name) return layer;
  return std::nullopt;
}

std::vector<Cell> row_of(const BlockEfficiency& block, const std::vector<Column>& axes) {
  std::vector<Cell> row;
  row.emplace_back(block.back_end);
  for (const Column& axis : axes) row.push_back(axis_cell(block.group, axis));
  row.emplace_back(block.tensor_parallel);
  for (const auto* name : {"qkv", "attention_output", "up_gate", "down"})
    row.push_back(percent_of_layer(layer_named(block, name)));
  const auto whole = block.block();
  row.push_back(percent_of_layer(whole));
  whole ? row.emplace_back(whole->tflops()) : row.emplace_back();
  std::int64_t n = 0;
  for (const auto& layer : block.layers) n += layer.n;
  row.emplace_back(n);
  return row;
}

}  // namespace

Table show_gemm(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("GEMM efficiency against tensor-parallel degree", run),
              .notes = {},
              .columns = {},
              .rows = {}};
  const auto points = run.rows(options.filter.empty() ? "gemm.*.transformer" : options.filter);
  const auto blocks = block_efficiencies(points);
  std::vector<Fields> groups;
  for (const BlockEfficiency& block : blocks) groups.push_back(block.group);
  const auto axes = axis_columns(groups);
  table.columns = {{"back end", "", Kind::text, true}};
  table.columns.insert(table.columns.end(), axes.begin(), axes.end());
  table.columns.insert(table.columns.end(), {{"tp", "", Kind::count},
                                             {"qkv", "%", Kind::number},
                                             {"attention output", "%", Kind::number},
                                             {"up/gate", "%", Kind::number},
                                             {"down", "%", Kind::number},
                                             {"whole block", "%", Kind::number},
                                             {"block", "TFLOP/s", Kind::number},
                                             {"n", "", Kind::count}});
  bool incomplete = false, without_peak = false;
  for (const BlockEfficiency& block : blocks) {
    table.rows.push_back(row_of(block, axes));
    incomplete = incomplete || !block.missing.empty();
    for (const auto& layer : block.layers) without_peak = without_peak || !layer.efficiency();
  }
  table.notes.push_back(
      "Percent of the peak each record names. The block is time-weighted: its FLOPs / (its time x peak); its "
      "bounds "
      "take every layer at the same end of its interval.");
  if (incomplete) table.notes.push_back("A block with a layer that has no ok point shows no whole.");
  if (without_peak) table.notes.push_back("No efficiency where the record names no peak.");
  if (static_cast<std::int64_t>(points.size()) == summary_point_limit)
    table.notes.push_back("Made of the first " + std::to_string(summary_point_limit) + " points.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
