// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "harness/core/error.hpp"
#include "model/fabric/file/fabric_sections.hpp"

namespace assay::model::fabric {

namespace {

enum class Preset { star, ai_zone, data_centre, rail, fat_tree, links };
constexpr auto preset_words =
    core::words_of<Preset>("star", "ai-zone", "data-centre", "rail", "fat-tree", "links");

Preset preset_of(const core::TomlSection& root) {
  if (!root.has("preset")) root.missing("preset", "star, ai-zone, data-centre, rail, fat-tree or links");
  return *root.choice("preset", preset_words);
}

/// The count, or that which makes the stated GPUs out of `each` of one.
std::uint32_t count_or_gpus(const core::TomlSection& root, std::string_view key, std::uint64_t each) {
  const auto count = root.count(key), gpus = root.count("gpus");
  if (count) return *count;
  if (!gpus) root.missing(key, "a whole number of at least 1, or gpus");
  if (*gpus % each != 0)
    root.refuse("gpus",
                fmt::format("{} GPUs do not divide by {}: expected a multiple for {}", *gpus, each, key));
  return static_cast<std::uint32_t>(*gpus / each);
}

ZoneShape read_zone(const core::TomlSection& root, bool leaves_by_gpus) {
  ZoneShape zone;
  zone.gpus_per_leaf = root.count("gpus_per_leaf").value_or(zone.gpus_per_leaf);
  zone.spines = root.count("spines").value_or(zone.spines);
  zone.uplinks_per_spine = root.count("uplinks_per_spine").value_or(zone.uplinks_per_spine);
  zone.leaves = leaves_by_gpus ? count_or_gpus(root, "leaves", zone.gpus_per_leaf)
                               : root.count("leaves").value_or(DataCentreShape{}.zone.leaves);
  return zone;
}

DataCentreShape read_data_centre(const core::TomlSection& root) {
  DataCentreShape shape{.zone = read_zone(root, false)};
  shape.zones = count_or_gpus(root, "zones", std::uint64_t{shape.zone.leaves} * shape.zone.gpus_per_leaf);
  shape.ratio = root.above_zero("ratio").value_or(shape.ratio);
  const double down = static_cast<double>(shape.zone.leaves) * shape.zone.uplinks_per_spine;
  if (shape.ratio > 1e6 || down / shape.ratio < 1e-6 || down / shape.ratio > 1e6)
    root.refuse("ratio",
                fmt::format("{} leaves no sound capacity: expected capacity down over capacity up of "
                            "a zone, as 7",
                            shape.ratio));
  return shape;
}

RailShape read_rail(const core::TomlSection& root) {
  RailShape shape;
  shape.nodes_per_group = root.count("nodes_per_group").value_or(shape.nodes_per_group);
  shape.gpus_per_node = root.count("gpus_per_node").value_or(shape.gpus_per_node);
  shape.spines = root.count("spines").value_or(shape.spines);
  shape.uplinks_per_spine = root.count("uplinks_per_spine").value_or(shape.uplinks_per_spine);
  shape.groups = count_or_gpus(root, "groups", std::uint64_t{shape.nodes_per_group} * shape.gpus_per_node);
  return shape;
}

FatTreeShape read_fat_tree(const core::TomlSection& root) {
  const auto ports = root.count("ports", 2, 256);
  if (!ports) root.missing("ports", "an even number from 2 to 256: the ports of every switch");
  if (*ports % 2 != 0) root.refuse("ports", fmt::format("expected an even number, got {}", *ports));
  return {*ports};
}

/// Takes the port off "leaf3:17"; 0 where there is none.
std::uint32_t take_port(const core::TomlSection& root, std::string& end) {
  const std::size_t colon = end.find(':');
  if (colon == std::string::npos) return 0;
  std::uint32_t port = 0;
  const char* const last = end.data() + end.size();
  const auto [stop, error] = std::from_chars(end.data() + colon + 1, last, port);
  if (error != std::errc() || stop != last || port == 0 || port > 254)
    root.refuse("links", fmt::format("'{}': expected a port from 1 to 254 after ':', as leaf3:17", end));
  end.resize(colon);
  return port;
}

/// "leaf3>spine7", or "leaf3:17>spine7:4" with ports: the lower node first.
std::vector<NamedCable> read_cables(const core::TomlSection& root, LinkSpeed speed) {
  if (!root.has("links")) root.missing("links", "a list such as [\"host0>leaf0\", \"leaf0>spine0\"]");
  std::vector<NamedCable> cables;
  const std::vector<std::string> links = root.words("links").value();
  for (const std::string& text : links) {
    const std::size_t arrow = text.find('>');
    if (arrow == 0 || arrow == std::string::npos || arrow + 1 == text.size())
      root.refuse("links", fmt::format("'{}' is not a link (expected lower>upper, as leaf3>spine7)", text));
    NamedCable cable{text.substr(0, arrow), text.substr(arrow + 1), speed};
    cable.lower_port = take_port(root, cable.lower);
    cable.upper_port = take_port(root, cable.upper);
    cables.push_back(std::move(cable));
  }
  return cables;
}

std::uint64_t gpus_of_zone(const ZoneShape& zone) { return std::uint64_t{zone.leaves} * zone.gpus_per_leaf; }

struct CountGpus {
  std::uint64_t operator()(const StarShape& one) const { return one.hosts; }
  std::uint64_t operator()(const ZoneShape& one) const { return gpus_of_zone(one); }
  std::uint64_t operator()(const DataCentreShape& one) const { return one.zones * gpus_of_zone(one.zone); }
  std::uint64_t operator()(const RailShape& one) const {
    return std::uint64_t{one.groups} * one.nodes_per_group * one.gpus_per_node;
  }
  std::uint64_t operator()(const FatTreeShape& one) const {
    return std::uint64_t{one.ports} * one.ports * one.ports / 4;
  }
  std::uint64_t operator()(const std::vector<NamedCable>& cables) const {
    std::uint64_t hosts = 0;
    for (const NamedCable& cable : cables)
      hosts += cable.lower.starts_with("host") || cable.upper.starts_with("host") ? 1 : 0;
    return hosts;
  }
};

}  // namespace

std::vector<std::string_view> keys_of_shape(const core::TomlSection& root) {
  switch (preset_of(root)) {
    case Preset::star:
      return {"hosts"};
    case Preset::ai_zone:
      return {"leaves", "gpus_per_leaf", "spines", "uplinks_per_spine"};
    case Preset::data_centre:
      return {"zones", "leaves", "gpus_per_leaf", "spines", "uplinks_per_spine", "ratio"};
    case Preset::rail:
      return {"groups", "nodes_per_group", "gpus_per_node", "spines", "uplinks_per_spine"};
    case Preset::fat_tree:
      return {"ports"};
    case Preset::links:
      return {"links"};
  }
  return {};
}

FabricShape read_shape(const core::TomlSection& root, LinkSpeed speed) {
  switch (preset_of(root)) {
    case Preset::star:
      return StarShape{count_or_gpus(root, "hosts", 1)};
    case Preset::ai_zone:
      return read_zone(root, true);
    case Preset::data_centre:
      return read_data_centre(root);
    case Preset::rail:
      return read_rail(root);
    case Preset::fat_tree:
      return read_fat_tree(root);
    case Preset::links:
      return read_cables(root, speed);
  }
  return {};
}

std::uint64_t gpus_of(const FabricShape& shape) { return std::visit(CountGpus{}, shape); }

}  // namespace assay::model::fabric
