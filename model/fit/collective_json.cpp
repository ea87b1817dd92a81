// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "model/fit/fit_json.hpp"

namespace assay::model::fit {
namespace {

Json json_of_ends(const Segment& segment) {
  return {{"from_bytes", segment.from_bytes},
          {"to_bytes", segment.to_bytes},
          {"rows", segment.rows},
          {"latency_us", segment.latency_us},
          {"us_per_byte", segment.us_per_byte}};
}

Coefficient coefficient_from(const Json& json, const char* name) {
  return {name, not_negative_from(json, "value"), not_negative_from(json, "lower"),
          not_negative_from(json, "upper"), json.at("supported")};
}

}  // namespace

Json json_of(const Segment& segment) {
  Json json = json_of_ends(segment);
  json["latency"] = json_of(segment.latency);
  json["gb_per_s"] = json_of(segment.bandwidth);
  return json;
}

Segment segment_from(const Json& json) {
  Segment segment;
  segment.from_bytes = positive_from(json, "from_bytes");
  segment.to_bytes = positive_from(json, "to_bytes");
  segment.rows = json.at("rows");
  segment.latency_us = not_negative_from(json, "latency_us");
  segment.us_per_byte = not_negative_from(json, "us_per_byte");
  if (json.contains("latency")) segment.latency = coefficient_from(json.at("latency"), "latency_us");
  if (json.contains("gb_per_s")) segment.bandwidth = coefficient_from(json.at("gb_per_s"), "gb_per_s");
  return segment;
}

Json json_of(const std::vector<Segment>& segments) {
  Json json = Json::array();
  for (const Segment& segment : segments) json.push_back(json_of(segment));
  return json;
}

std::vector<Segment> segments_from(const Json& json) {
  std::vector<Segment> segments;
  for (const Json& segment : json) segments.push_back(segment_from(segment));
  if (segments.empty()) throw std::runtime_error("key 'segments': expected one or more");
  return segments;
}

Json json_of(const CollectiveFamily& family) {
  Json curves;
  for (const auto& [dtype, curve] : family.curves) {
    curves[dtype] = {{"line", json_of_ends(curve.line)}, {"segments", json_of(curve.segments)}};
  }
  return {{"surface", family.surface}, {"curves", curves}};
}

CollectiveFamily collective_family_from(const Json& json) {
  CollectiveFamily family;
  family.surface = json.at("surface");
  for (const auto& [dtype, curve] : json.at("curves").items()) {
    CollectiveCurve& read = family.curves[dtype];
    read.line = segment_from(curve.at("line"));
    read.segments = segments_from(curve.at("segments"));
  }
  return family;
}

Json json_of(const SizeSurface& surface) {
  const SurfaceScales& scales = surface.scales();
  Json anchors = Json::array();
  for (const auto& [place, weight] : surface.anchors())
    anchors.push_back({place.family, place.dtype, place.log2_size, weight});
  return {{"common", scales.common}, {"family", scales.family}, {"dtype", scales.dtype},
          {"length", scales.length}, {"noise", scales.noise},   {"anchors", anchors}};
}

SizeSurface size_surface_from(const Json& json) {
  std::vector<SizeSurface::Anchor> anchors;
  for (const Json& anchor : json.at("anchors"))
    anchors.push_back({{anchor.at(2), anchor.at(0), anchor.at(1)}, anchor.at(3)});
  return {{not_negative_from(json, "common"), not_negative_from(json, "family"),
           not_negative_from(json, "dtype"), positive_from(json, "length"), positive_from(json, "noise")},
          std::move(anchors)};
}

}  // namespace assay::model::fit
