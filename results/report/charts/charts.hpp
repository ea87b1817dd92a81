// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Charts of points, and the tables that belong to them: data as the .ts of the same name draws it, {points,
// same} where nothing else is said. "same" are the axes that do not vary. Private to the report.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/judge/series/fleet_standing.hpp"
#include "results/points/kinds/copy_points.hpp"
#include "results/points/kinds/crossovers.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/kinds/overlap_points.hpp"
#include "results/points/kinds/simulation_points.hpp"
#include "results/record/timeline.hpp"

namespace assay::results {

/// Ok points of gemm.*.matmul whose headline is a rate, in the order measured, repetitions joined.
std::vector<StoredPoint> matmul_points(const RunPoints& run);
Table matmul_table(const std::vector<StoredPoint>& points);
/// TFLOP/s over the size that was swept, which "size" names ("m = n = k", "k"): {points, same, size}. No
/// point where one size was measured.
nlohmann::ordered_json matmul_chart(const std::vector<StoredPoint>& points);

/// Bandwidth over bytes of copies between host and GPU, and of several GPUs at once: a curve ("kernel") for
/// each direction, kind of copy and of memory, a series for all else that varies.
nlohmann::ordered_json copy_chart(const std::vector<CopyPoint>& points);
/// GPU against NUMA node at the largest size, {matrices: [{title, cells: [{row, column, value, lower, upper,
/// remark}]}], same}; no matrix where one GPU and one node were measured.
nlohmann::ordered_json copy_matrices(const std::vector<CopyPoint>& points);
/// Source against target, in the form of copy_matrices().
nlohmann::ordered_json peer_matrices(const std::vector<CopyPoint>& points);

/// The time of every contender of each crossover (a series), who wins at each size and whether that is
/// decided, the sizes of each reign, and the library's regret where it ran.
nlohmann::ordered_json crossover_chart(const std::vector<Crossover>& crossovers);

/// One map for each point whose record lists more than two flows: {series, ranks: [{rank, name}], median,
/// flows: [{from, to, value, alone, of_median, suspect}]}. A suspect is a flow that the module ran again by
/// itself, and one below the share of the median at which it would have.
nlohmann::ordered_json pairs_charts(const std::vector<FabricPoint>& points);

Table pipeline_table(const std::vector<OverlapPoint>& points);
/// Step time over the cap, with what computing alone takes and what was predicted; milliseconds.
nlohmann::ordered_json pipeline_chart(const std::vector<OverlapPoint>& points);

Table interference_table(const std::vector<OverlapPoint>& points);
/// The slowdown of every victim by every aggressor, and of what spinning alone does. The title ("series") of
/// a matrix says how many blocks; an aggressor that was measured with one number of them is in every matrix.
/// Controls, in which the victim runs alone, have no cell.
nlohmann::ordered_json interference_chart(const std::vector<OverlapPoint>& points);
/// The slowdown over the number of blocks or threads, of aggressors measured with more than one, with what
/// spinning alone does and what was predicted, with the victims' controls.
nlohmann::ordered_json slowdown_chart(const std::vector<OverlapPoint>& points);

/// The most loaded uplink of simulated workloads over their mean, over queue pairs ("count"), a curve
/// ("kernel") for each routing of which several numbers of queue pairs were simulated. This and all charts of
/// simulations below have {notes}: the rules, the known errors and the coefficients.
nlohmann::ordered_json imbalance_chart(const std::vector<SimulationPoint>& workloads);
/// Milliseconds of the steps alike ("alike") of every operation ("kernel"), a series for each policy, and of
/// the whole ("totals").
nlohmann::ordered_json step_chart(const std::vector<SimulationPoint>& steps,
                                  const std::vector<SimulationPoint>& workloads);
Table simulated_workload_table(const std::vector<SimulationPoint>& workloads);
Table simulated_step_table(const std::vector<SimulationPoint>& steps);

/// For each policy the load of each leaf's (row) uplinks (column) over the mean of all, of one hash seed:
/// {matrices: [{title, most, seed, remark, cells: [{row, column, value}]}], same, notes}.
nlohmann::ordered_json uplink_maps(const std::vector<SimulationPoint>& leaves);
Table uplink_table(const std::vector<SimulationPoint>& leaves);

/// Bytes that leave groups of each tier (row), as it is, placed, and at least (columns), GB: as uplink_maps.
nlohmann::ordered_json placement_matrices(const std::vector<SimulationPoint>& placements);
Table placement_table(const std::vector<SimulationPoint>& placements);

/// The spread of a fleet: {spreads: [{level, metric, units, sd, percent}], worst: [{unit, metric, percent}]};
/// `units` of the worst units.
nlohmann::ordered_json spread_chart(const FleetStanding& standing, std::size_t units);

/// The course of a burn-in: {spans: [{lane, label, how, from_s, to_s}], marks: [{lane, label, status, at_s,
/// text}], curves: [{kind, unit, points: [[at_s, value]]}]}. A span that nothing ended is "cut" and reaches
/// to the last entry. Curves keep the lowest and highest of each of some hundred stretches.
nlohmann::ordered_json timeline_chart(const Timeline& timeline);
/// The chart with its findings as a table, and what is unknown; "" without a timeline.
std::string timeline_section(const std::optional<Timeline>& timeline);

}  // namespace assay::results
