// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that leave each tier's groups under the order of ranks as it is, and under the one that was found.
#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/points/kinds/simulation_points.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

constexpr double gb_of_bytes = 1e-9;

bool is_placed(const SimulationPoint& point) { return field_text(point.point.axes, {"order"}) == "placed"; }

void add_cells(Json& cells, const SimulationPoint& point, const char* prefix, const std::string& column) {
  for (const auto& [tier, bytes] : metrics_after(point, prefix)) {
    cells.push_back({{"row", "leave their " + tier}, {"column", column}});
    chart::put(cells.back(), bytes, gb_of_bytes);
  }
}

}  // namespace

Json placement_matrices(const std::vector<SimulationPoint>& placements) {
  const chart::Series series(axes_in_words(placements), {"order"});
  core::InOrder<std::string, Json> cells_of;
  for (const SimulationPoint& one : placements) {
    Json& cells = cells_of[series.name_of(axes_in_words(one))];
    if (cells.is_null()) cells = Json::array();
    const std::string time = number_text({simulated_ms(one).value}) + " ms";
    add_cells(cells, one, core::names::bytes_leaving, (is_placed(one) ? "placed: " : "as it is: ") + time);
    if (is_placed(one)) add_cells(cells, one, core::names::least_bytes_leaving, "at least");
  }
  Json matrices = Json::array();
  for (const auto& [name, cells] : cells_of) matrices.push_back({{"title", name}, {"cells", cells}});
  return {{"matrices", matrices}, {"same", series.same()}, {"notes", bases_of(placements)}};
}

Table placement_table(const std::vector<SimulationPoint>& placements) {
  AxesTable all("Simulated placements", {}, axis_columns(axes_of(placements)),
                {{"time", "ms", Kind::number},
                 {"group", "", Kind::word},
                 {"bytes that leave it", "GB", Kind::number},
                 {"at least", "GB", Kind::number}});
  for (const SimulationPoint& one : placements)
    for (const auto& [tier, bytes] : metrics_after(one, core::names::bytes_leaving)) {
      const Number least = one.interval(std::string(core::names::least_bytes_leaving) + "_" + tier);
      all.add(
          {}, one.point.axes,
          {simulated_ms(one), tier, Number{gb_of_bytes * bytes.value}, Number{gb_of_bytes * least.value}});
    }
  all.table.notes = bases_of(placements);
  return all.table;
}

}  // namespace assay::results
