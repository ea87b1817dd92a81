// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "results/points/kinds/moving_points.hpp"
#include "results/report/charts/charts.hpp"
#include "results/report/html.hpp"
#include "results/show/tables.hpp"

namespace assay::results {

// Each in the .cpp of charts/ that bears its name, for this table alone.
nlohmann::ordered_json bandwidth_chart(const RunPoints& run), cache_levels_chart(const RunPoints& run),
    gemm_chart(const RunPoints& run), latency_chart(const RunPoints& run), power_chart(const RunPoints& run),
    rdma_bandwidth_chart(const RunPoints& run), rdma_latency_chart(const RunPoints& run),
    rdma_time_charts(const RunPoints& run), sample_charts(const RunPoints& run);
Table power_table(const RunPoints& run);

namespace {

using Json = nlohmann::ordered_json;

/// A standard table of `assay show`.
template <auto show>
Table standard(const RunPoints& run) {
  return show(run, {.limit = std::numeric_limits<std::int64_t>::max()});
}

/// A chart or table of one kind of points.
template <auto points, auto made>
auto of(const RunPoints& run) {
  return made(points(run));
}

Table matmul_rates(const RunPoints& run) {
  const std::vector<StoredPoint> points = matmul_points(run);
  Table table = matmul_table(points);
  if (std::string note = moving_note(run, points); !note.empty()) table.notes.push_back(std::move(note));
  return table;
}

std::vector<FabricPoint> all_fabric(const RunPoints& run) { return fabric_points(run, "rdma.*"); }
std::vector<CopyPoint> all_copies(const RunPoints& run) { return copy_points(run); }
std::vector<Crossover> all_crossovers(const RunPoints& run) {
  return crossovers_of(contests_of(collective_points(run, "collectives.*")));
}

Json simulated_time_chart(const RunPoints& run) {
  return step_chart(simulated_steps(run), simulated_workloads(run));
}

bool is_empty(const Json& data) {
  if (data.is_array()) return data.empty();
  for (const char* list : {"points", "matrices"})
    if (data.contains(list)) return data.at(list).empty();
  return false;
}

const std::vector<Section> all_sections{
    {"gemm",
     "GEMM efficiency against tensor-parallel degree",
     {{"gemm", nullptr,
       "The block (heavy line) is time-weighted over its layers. Upright strokes: intervals.", gemm_chart}},
     {{"Efficiency", standard<show_gemm>, "gemm"}}},
    {"matmul",
     "Matrix products over size",
     {{"matmul", nullptr, "Rate over the size that was swept; upright strokes: intervals.",
       of<matmul_points, matmul_chart>}},
     {{"Rates", matmul_rates}}},
    {"bandwidth",
     "Memory bandwidth",
     {{"bandwidth", nullptr, "GB/s is 10<sup>9</sup> bytes a second.", bandwidth_chart}},
     {{"Bandwidth", standard<show_memory>, "memory"}}},
    {"latency",
     "Memory latency over footprint",
     {{"latency", nullptr, "Dependent loads over a growing footprint; both axes logarithmic.", latency_chart},
      {"cache_levels", nullptr, nullptr, cache_levels_chart}},
     {{"Latency", standard<show_latency>, "latency"}}},
    {"copies",
     "Host and GPU copies",
     {{"copies", nullptr,
       "Bandwidth over the bytes copied each way; both ways, and several GPUs, counted together. "
       "Dashed: what the link's rate and coding leave, where the record has it.",
       of<all_copies, copy_chart>},
      {"copy_matrices", "GPU against NUMA node",
       "GB/s at the largest size: the GPU in the row, the NUMA node of the host's memory in the "
       "column. The stronger the color, the faster; half of the fastest is pale.",
       of<all_copies, copy_matrices>},
      {"peer_matrices", "From GPU to GPU",
       "GB/s at the largest size: from the GPU in the row to the GPU in the column. The stronger "
       "the color, the faster; half of the fastest is pale.",
       of<all_copies, peer_matrices>}},
     {{"Copies", standard<show_copies>, "copies"}}},
    {"rdma",
     "RDMA bandwidth over message size",
     {{"rdma_bandwidth", nullptr,
       "Payload over message size, both axes logarithmic where the values span much. Dashed: what the "
       "port's rate, MTU and headers leave for payload, where the device reports its rate.",
       rdma_bandwidth_chart}},
     {{"Bandwidth", standard<show_rdma>, "rdma"}}},
    {"rdma-latency",
     "RDMA latency over message size",
     {{"rdma_latency", nullptr,
       "Median over message size; the stroke above it ends at the 99th percentile where there are "
       "enough samples for it.",
       rdma_latency_chart},
      {"rdma_times", "How often which latency occurred",
       "Samples of the latency at the smallest size, every one counted: bins of equal ratio, counts "
       "logarithmic.",
       rdma_time_charts}},
     {{"Latency", standard<show_rdma_latency>, "rdma_latency"}}},
    {"rdma-pairs",
     "Every flow among many",
     {{"rdma_pairs", nullptr,
       "The row sends, the column receives, all at the same time; GB/s. Red: more than 2 % below the "
       "median, the stronger the farther. A frame: a suspect, below 93 % of the median. A click keeps the "
       "values of a cell.",
       of<all_fabric, pairs_charts>}},
     {{"Flows that ran together", standard<show_rdma_pairs>, "rdma_pairs"}}},
    {"counters",
     "Counters of the links around every point",
     {},
     {{nullptr, standard<show_counters>, "counters"}}},
    {"collectives",
     "Collectives: which algorithm wins at which size",
     {{"crossover", nullptr,
       "Time of the slowest rank over size, both axes logarithmic. Along the axis the winner of each "
       "size: a ring where the intervals of the first two meet. Below, the regret: time of what the "
       "library chose over the best one's.",
       of<all_crossovers, crossover_chart>}},
     {{"Winners", standard<show_crossover>, "crossover"},
      {"Collectives", standard<show_collectives>, "collectives"}}},
    {"pipeline",
     "Block pipeline: copying while computing",
     {{"pipeline", nullptr,
       "Time of a step of transformer blocks over the cap of their copies. Dashed: computing "
       "alone, mean of the points. Rings: predicted from what the parts take alone and "
       "together.",
       of<pipeline_points, pipeline_chart>}},
     {{"Block pipeline", of<pipeline_points, pipeline_table>}}},
    {"interference",
     "Interference: who slows down whom",
     {{"interference", "Interference",
       "Time of the victim (row) while the aggressor (column) runs, over its time alone. An aggressor "
       "that was measured with one number of thread blocks or threads is in every matrix.",
       of<interference_points, interference_chart>},
      {"slowdown", "Slowdown over the aggressor's size",
       "Time of the victim while a growing aggressor runs, over its time alone. Gray, dotted: with "
       "as many blocks or threads that only spin. Dashed: predicted for a matrix product from "
       "the multiprocessors that are taken and its tiles. Rings at 0: no load, a control.",
       of<interference_points, slowdown_chart>}},
     {{"Interference", of<interference_points, interference_table>}}},
    {"simulated-steps",
     "Simulated time by step",
     {{"simulated_steps", "Simulated time by step",
       "Simulated. Time of each operation, a field for each kind of step, times how many are alike; medians "
       "over "
       "hash seeds. The stroke: 5 to 95 % of the whole.",
       simulated_time_chart}},
     {{"Steps", of<simulated_steps, simulated_step_table>}}},
    {"simulated-imbalance",
     "Simulated imbalance of uplinks over queue pairs",
     {{"simulated_imbalance", nullptr,
       "Simulated. Bytes on the most loaded uplink of any leaf over the mean of all; 1 is even. Median over "
       "hash seeds, upright strokes: 5 to 95 %.",
       of<simulated_workloads, imbalance_chart>}},
     {{"Workloads", of<simulated_workloads, simulated_workload_table>}}},
    {"simulated-uplinks",
     "Simulated load of leaves' uplinks",
     {{"simulated_uplinks", nullptr,
       "Simulated, in the hash seed of the median time. The row is a leaf, the column one of its uplinks; "
       "color: its bytes over the mean of all uplinks, on one scale for all maps. Crossed out: failed.",
       of<simulated_leaves, uplink_maps>}},
     {{"Uplinks", of<simulated_leaves, uplink_table>}}},
    {"simulated-placement",
     "Simulated placement: bytes by tier",
     {{"simulated_placement", nullptr,
       "Simulated. GB that leave the groups of a tier in the whole workload: in the order of ranks as it is, "
       "as "
       "placed, and at least in any order. The stronger the color, the more.",
       of<simulated_placements, placement_matrices>}},
     {{"Placements", of<simulated_placements, placement_table>}}},
    {"power",
     "Power and SM clock against time",
     {{"power", nullptr,
       "A dot for each measurement of a GPU, its stroke from beginning to end; time since the run began. "
       "A ring: the GPU reported that something held its clock back.",
       power_chart}},
     {{"Power and SM clock", power_table}}},
    {"samples",
     "Samples behind the headline numbers",
     {{"samples", "Samples in the order taken",
       "Time of each sample in the order taken, as a percentage of the reported quantile; "
       "the band is its interval. At most 1,000 samples a chart, evenly thinned.",
       sample_charts}},
     {}},
};

}  // namespace

const std::vector<Section>& sections() { return all_sections; }

Json report_data(const RunPoints& run) {
  Json data{{"run_id", run.stored().run_id}, {"origin", run.origin()}};
  for (const Section& section : sections())
    for (const Figure& figure : section.figures) data[figure.name] = figure.data(run);
  return data;
}

void cut_to_page(Table& table, const std::string& shown_as, const std::string& run_id, std::int64_t rows) {
  if (rows <= rows_at_most) return;
  table.rows.resize(std::min(table.rows.size(), static_cast<std::size_t>(rows_at_most)));
  table.notes.insert(
      table.notes.begin(),
      fmt::format("The first {} of {} rows. All: assay show {} --run {} --limit {} --format csv",
                  table.rows.size(), rows, shown_as, run_id, rows));
}

std::string section_html(const Section& of_run, const RunPoints& run, const Json& data) {
  std::vector<Table> tables;
  for (const SectionTable& one : of_run.tables) {
    tables.push_back(one.table(run));
    tables.back().origin = run.origin();
    if (one.shown_as != nullptr)
      cut_to_page(tables.back(), one.shown_as, run.stored().run_id, std::ssize(tables.back().rows));
  }
  std::string html;
  for (const Figure& one : of_run.figures)
    if (one.caption != nullptr && !is_empty(data.at(one.name)))
      html += figure(one.name, one.label != nullptr ? one.label : heading_of(tables.front()), one.caption);
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (!tables[i].rows.empty())
      html += of_run.tables[i].what == nullptr ? html_table(tables[i])
                                               : numbers(of_run.tables[i].what, tables[i]);
  return html.empty() ? "" : section(of_run.id, of_run.title, html);
}

}  // namespace assay::results
