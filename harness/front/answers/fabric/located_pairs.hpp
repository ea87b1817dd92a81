// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Functions that assay fabric locate and the judges share: the topology of a site, and pairs located by the
// rule for queue pairs that fits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/locate/location_report.hpp"
#include "model/fabric/locate/pairs_csv.hpp"
#include "model/fabric/site/site_fabric.hpp"
#include "results/judge/acceptance/evidence_file.hpp"

namespace assay::answers {

/// The fabric's own topology, or the one of "KIND=FILE" instead: ibnetdiscover, lldp or slurm, where cables
/// of unknown speed have that of the fabric. `ports`: globs over "HOST ADAPTER/PORT", where any of them
/// chooses a port of ibnetdiscover's; none: all. Throws a usage Error for another kind, for ports of one that
/// names none, and as the reader of the kind does.
model::fabric::site::SiteFabric site_of(const model::fabric::FabricFile& fabric,
                                        const std::optional<results::EvidenceFile>& topology,
                                        const std::vector<std::string>& ports = {});

/// Remarks on what the site's list does not say and on what of it is left out, a sentence each.
std::vector<std::string> remarks_of(const model::fabric::site::SiteFabric& site);

/// The site's nodes by every name that the site gives them.
model::fabric::locate::NodeNames names_of(const model::fabric::site::SiteFabric& site);

/// Reads a fabric as read_fabric() does, or its content where a bundle has it. `replaced` first.
model::fabric::FabricFile read_fabric_of(const results::EvidenceFile& file,
                                         std::span<const model::fabric::KeyValue> replaced = {});

/// Throws a usage Error that opens with `topology`, "lldp=cables.csv", for a pair that no path joins: which
/// switches seem to have no rows of their own.
void refuse_without_paths(const model::fabric::Router& router, const model::fabric::site::SiteFabric& site,
                          const model::fabric::locate::MeasuredPairs& pairs, const std::string& topology);

struct LocateOrder {
  std::string rule = "auto";  // or slowest, average: what a slow queue pair does to its flow
  std::size_t next = 4;       // pairs to measure next
  /// False: ports say nothing of paths. Else switches may still hash otherwise than the fabric's routing:
  /// ports count where the rates fit the paths that follow from them at least as well as unknown paths.
  bool hash_known = true;
  model::fabric::locate::LocateSettings settings = {};
};

struct LocatedPairs {
  std::unique_ptr<model::fabric::locate::Incidence> incidence;
  model::fabric::locate::LocationReport report;

  double gain() const;
};

/// Locates slow elements. Flows with several queue pairs use the rule that explains more, unless `order` asks
/// for one. All but the pairs must outlive the result. Throws as locate().
LocatedPairs locate_pairs(const model::fabric::locate::MeasuredPairs& pairs,
                          const model::fabric::Router& router,
                          const model::fabric::locate::Elements& elements, const LocateOrder& order);

}  // namespace assay::answers
