// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The section of each kind of fit in a file of coefficients.
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/fit_json.hpp"

namespace assay::model::fit {
namespace {

Json head(CoefficientsKind kind, const Provenance& provenance, const std::vector<std::string>& warnings) {
  return {{"kind", to_string(kind)}, {"provenance", json_of(provenance)}, {"warnings", warnings}};
}

Json json_of(const LogGpFit::Link& link) {
  Json json;
  for (const Coefficient& coefficient : link.coefficients) json[coefficient.name] = fit::json_of(coefficient);
  for (const Coefficient& bounded : {link.overhead, link.latency}) json[bounded.name] = fit::json_of(bounded);
  return json;
}

}  // namespace

Json section_of(const Provenance& provenance, const SeenRows& seen, const GemmFits& fits) {
  Json json = head(CoefficientsKind::gemm, provenance, warnings_of(fits));
  json["left_out"] = fits.left_out;
  for (const auto& [group, fit] : fits.groups) json["models"][group] = json_of(fit);
  for (const auto& [group, fit] : fits.groups) json["surfaces"][group] = json_of(fit.model.surface);
  json["seen_rows"] = seen.prefixes();
  return json;
}

Json section_of(const Provenance& provenance, const SeenRows& seen, const CollectiveFit& fit) {
  Json json = head(CoefficientsKind::collectives, provenance, warnings_of(fit));
  json["left_out"] = fit.left_out;
  json["held_out"] = {{"sizes", json_of(fit.held_out)},
                      {"ends", json_of(fit.held_out_ends)},
                      {"segments_alone", json_of(fit.held_out_segments)}};
  for (const auto& [name, family] : fit.models.families) json["models"][name] = json_of(family);
  for (const auto& [name, surface] : fit.models.surfaces) json["surfaces"][name] = json_of(surface);
  json["rank_laws"] = json_of(fit.rank_laws);
  json["overtaken"] = json_of(fit.overtaken);
  json["seen_rows"] = seen.prefixes();
  return json;
}

Json section_of(CoefficientsKind kind, const Provenance& provenance, const SeenRows& seen,
                const SizeFit& fit) {
  Json json = head(kind, provenance, warnings_of(fit));
  json["left_out"] = fit.left_out;
  json["held_out"] = json_of(fit.held_out);
  for (const auto& [name, segments] : fit.curves) json["models"][name] = json_of(segments);
  json["seen_rows"] = seen.prefixes();
  return json;
}

Json section_of(const Provenance& provenance, const SeenRows& seen, const LogGpFit& fit) {
  Json json = head(CoefficientsKind::loggp, provenance, warnings_of(fit));
  json["left_out"] = fit.left_out;
  json["held_out"] = json_of(fit.held_out);
  for (const auto& [name, link] : fit.links) json["models"][name] = json_of(link);
  json["seen_rows"] = seen.prefixes();
  return json;
}

Json section_of(const Provenance& provenance, const SeenRows& seen,
                const std::map<std::string, Coefficient>& usages) {
  Json json = head(CoefficientsKind::interference, provenance, warnings_of(usages));
  for (const auto& [contest, usage] : usages) json["models"][contest] = {{usage.name, json_of(usage)}};
  json["seen_rows"] = seen.prefixes();
  return json;
}

Json section_of(const Provenance& provenance, const SeenRows& seen, const OverlapFit& fit) {
  Json json = head(CoefficientsKind::overlap, provenance, warnings_of(fit));
  json["held_out"] = {{"by_other_rows", json_of(fit.held_out)},
                      {"assumed_none", json_of(fit.assumed_none)},
                      {"assumed_all", json_of(fit.assumed_all)}};
  for (const auto& [contest, efficiency] : fit.efficiencies)
    json["models"][contest] = {{efficiency.name, json_of(efficiency)}};
  json["seen_rows"] = seen.prefixes();
  return json;
}

}  // namespace assay::model::fit
