// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "model/fit/coefficients/fit_json.hpp"

namespace assay::model::fit {
namespace {

Json json_of_ends(const Segment& segment) {
  return {{"from_bytes", segment.from_bytes},
          {"to_bytes", segment.to_bytes},
          {"rows", segment.rows},
          {"latency_us", segment.latency_us},
          {"us_per_byte", segment.us_per_byte}};
}

Segment segment_from(const JsonKeys& keys) {
  Segment segment;
  segment.from_bytes = keys.above_zero("from_bytes");
  segment.to_bytes = keys.above_zero("to_bytes");
  segment.rows = static_cast<std::size_t>(keys.whole("rows", 0));
  segment.latency_us = keys.number("latency_us");
  segment.us_per_byte = keys.number("us_per_byte");
  if (keys.has("latency")) segment.latency = coefficient_from(keys.object("latency"), "latency_us");
  if (keys.has("gb_per_s")) segment.bandwidth = coefficient_from(keys.object("gb_per_s"), "gb_per_s");
  return segment;
}

SizeSurface::Anchor anchor_from(const JsonKeys& surface, const JsonValue& anchor) {
  if (!anchor.is_array() || anchor.size() != 4 || !anchor[0].is_string() || !anchor[1].is_string() ||
      !is_finite_number(anchor[2]) || !is_finite_number(anchor[3]))
    surface.fail("anchors", "rows of [family, dtype, log2 of the size, weight]", anchor);
  return {{.log2_size = anchor[2].get<double>(),
           .family = anchor[0].get<std::string>(),
           .dtype = current_dtype(anchor[1].get<std::string>())},
          anchor[3].get<double>()};
}

}  // namespace

Json json_of(const Segment& segment) {
  Json json = json_of_ends(segment);
  json["latency"] = json_of(segment.latency);
  json["gb_per_s"] = json_of(segment.bandwidth);
  return json;
}

Json json_of(const std::vector<Segment>& segments) {
  Json json = Json::array();
  for (const Segment& segment : segments) json.push_back(json_of(segment));
  return json;
}

std::vector<Segment> segments_from(const JsonKeys& keys, std::string_view key) {
  std::vector<Segment> segments;
  for (const JsonKeys& segment : keys.objects(key)) segments.push_back(segment_from(segment));
  if (segments.empty()) keys.fail(key, "one segment or more", keys.at(key));
  return segments;
}

Json json_of(const std::vector<Overtaken>& overtaken) {
  Json json = Json::array();
  for (const Overtaken& one : overtaken)
    json.push_back({{"curve", one.curve},
                    {"size_bytes", one.size_bytes},
                    {"time_us", one.time_us},
                    {"larger_bytes", one.larger_bytes},
                    {"larger_us", one.larger_us},
                    {"regret", one.regret()}});
  return json;
}

Json json_of(const CollectiveFamily& family) {
  Json curves;
  for (const auto& [dtype, curve] : family.curves) {
    curves[dtype] = {{"line", json_of_ends(curve.line)}, {"segments", json_of(curve.segments)}};
  }
  Json json{{"surface", family.surface}};
  if (family.name.nodes > 0) json["nodes"] = family.name.nodes;
  json["curves"] = curves;
  return json;
}

CollectiveFamily collective_family_from(const JsonKeys& models, const std::string& name) {
  const auto parts = FamilyName::from(name);
  if (!parts) models.fail(name, "a name 'system,operation,ranks,algorithm' from 2 ranks on");
  const JsonKeys keys = models.object(name);
  CollectiveFamily family{.name = *parts, .curves = {}, .surface = {}};
  family.surface = keys.word("surface");
  if (keys.has("nodes")) family.name.nodes = keys.count("nodes");
  const JsonKeys curves = keys.object("curves");
  for (const std::string& dtype : curves.names()) {
    const JsonKeys curve = curves.object(dtype);
    family.curves[current_dtype(dtype)] = {.line = segment_from(curve.object("line")),
                                           .segments = segments_from(curve, "segments")};
  }
  return family;
}

Json json_of(const SizeSurface& surface) {
  const SurfaceScales& scales = surface.scales();
  Json anchors = Json::array();
  for (const auto& [place, weight] : surface.anchors())
    anchors.push_back({place.family, place.dtype, place.log2_size, weight});
  Json json{{"common", scales.common}, {"family", scales.family}, {"dtype", scales.dtype},
            {"length", scales.length}, {"noise", scales.noise},   {"anchors", anchors}};
  if (scales.flat_below_bytes > 0) json["flat_below_bytes"] = scales.flat_below_bytes;
  if (std::isfinite(scales.flat_above_bytes)) json["flat_above_bytes"] = scales.flat_above_bytes;
  return json;
}

SizeSurface size_surface_from(const JsonKeys& keys) {
  std::vector<SizeSurface::Anchor> anchors;
  for (const JsonValue anchor : keys.list("anchors")) anchors.push_back(anchor_from(keys, anchor));
  SurfaceScales scales{.common = keys.number("common"),
                       .family = keys.number("family"),
                       .dtype = keys.number("dtype"),
                       .length = keys.above_zero("length"),
                       .noise = keys.above_zero("noise")};
  // Older files do not have them.
  if (keys.has("flat_below_bytes")) scales.flat_below_bytes = keys.above_zero("flat_below_bytes");
  if (keys.has("flat_above_bytes")) scales.flat_above_bytes = keys.above_zero("flat_above_bytes");
  return {scales, std::move(anchors)};
}

}  // namespace assay::model::fit
