// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links, cables, switches and hosts of a fabric that explain slow pairs. Models locate them
// (model/fabric/locate); this says what that means for a fleet.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/acceptance/evidence_file.hpp"
#include "results/judge/links/pair_rates.hpp"

namespace assay::results {

/// Who is wired to whom. The topology, "lldp=cables.csv", replaces that of the fabric.
struct FabricFiles {
  EvidenceFile fabric;
  std::optional<EvidenceFile> topology = {};
};

struct SlowElement {
  std::string name, kind;                   // "leaf3>spine2", "link"; a host as fleets call it: "h3/rail1"
  double factor = 1, lower = 0, upper = 1;  // of its rate, with its interval
  double probability = 0;                   // of all that could take its place
  double chance = 1;                        // that noise alone gives any element as much
  double gain = 0;                          // ln likelihood
  std::size_t measurements = 0;             // that cross it
  std::string not_distinguished = {};       // names of elements that the same measurements cross
  std::vector<std::string> others = {};     // "cable leaf3-spine2: probability 0.010"
  std::vector<std::string> next = {};       // pairs to measure next where it is not certain, as text
};

/// How much of its rate a flow loses by the element, an index of `elements`; nothing where it loses none.
struct ExplainedLoss {
  std::optional<std::size_t> element = {};
  double loss = 0;
};

/// Elements located from the rates of one metric.
struct MetricLocation {
  std::vector<SlowElement> elements;
  std::vector<ExplainedLoss> losses;  // of each rate
};

struct FabricLocation {
  std::string fabric;                       // its name
  std::vector<MetricLocation> metrics;      // of each of the rates'
  std::vector<std::string> unknown_hosts;   // hosts of the records that the fabric does not have
  std::size_t links = 0, unseen_links = 0;  // unseen: crossed by no measurement
  std::size_t flows = 0, known_paths = 0;
  std::string ports_left_out = {};  // why, where ports are recorded and say nothing of paths
  std::vector<std::string> assumed = {};
};

/// Throws a usage Error naming the file for what cannot be read; without rates, it only reads the files.
using LocateSlow =
    std::function<FabricLocation(const FabricFiles& files, std::span<const MetricRates> rates)>;

/// Findings of links and of their ends that an element of their metric explains, to within their limit, get
/// its name (FleetFinding::explained_by), unless they name it themselves. Levels that are divided
/// (FleetUnlike) by such findings only are left out.
void name_elements(const FabricLocation& location, std::span<const MetricRates> rates,
                   std::vector<FleetAcceptance>& fleets);

/// A row for each element whose whole interval is below its rate by more than the margin, with the metric
/// that shows it best. It fails where its pairs have three runs, or it explains a fault; else it is
/// INCONCLUSIVE. A host that the fabric does not have is INCONCLUSIVE as well. `fleets` as name_elements()
/// left them.
Verdicts verdicts_of(const FabricLocation& location, std::span<const MetricRates> rates,
                     std::span<const FleetAcceptance> fleets, const FleetRules& rules);

/// The rows for people, with their evidence in the notes.
Table table_of_elements(const Verdicts& verdicts);

}  // namespace assay::results
