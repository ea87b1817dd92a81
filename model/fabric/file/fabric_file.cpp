// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/fabric_file.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/training/workload_sections.hpp"
#include "model/fabric/file/fabric_sections.hpp"
#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/list_kind.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::size_t longest_fabric = std::size_t{16} << 20U;  // bytes

void refuse_indivisible(const core::TomlSection& root, const FabricFile& fabric) {
  const std::uint64_t gpus = gpus_of(fabric.shape);
  if (const auto stated = root.count("gpus"); stated && *stated != gpus)
    root.refuse("gpus", fmt::format("{} stated, and the shape has {}: expected counts that multiply to it",
                                    *stated, gpus));
  const auto host = root.table("host");
  const bool is_stated = host && (host->has("gpus") || fabric.server.nvlink_bytes_per_us);
  if (is_stated && gpus % fabric.server.gpus != 0)
    host->refuse("gpus",
                 fmt::format("{} GPUs do not divide into servers of {}: expected a number that divides", gpus,
                             fabric.server.gpus));
}

void read_nodes(const core::TomlSection& root, FabricFile& fabric) {
  const auto list = root.word("nodes");
  if (!list) return;
  fabric.nodes = site::expand_host_list(*list, root.where("nodes"));
  const std::uint64_t gpus = gpus_of(fabric.shape), named = fabric.nodes.size();
  if (named != gpus && named * fabric.server.gpus != gpus)
    root.refuse("nodes",
                fmt::format("{} names for {} GPUs in servers of {}: expected one for each server or GPU",
                            named, gpus, fabric.server.gpus));
  std::set<std::string_view> seen;
  for (const std::string& node : fabric.nodes)
    if (!seen.insert(node).second) root.refuse("nodes", node + " is named twice: expected different names");
}

FabricFile fabric_from(const core::TomlSection& root, const std::string& file) {
  std::vector<std::string_view> keys = {"name",  "preset", "gpus",     "nodes",    "radix",     "link",
                                        "host",  "switch", "tier",     "routing",  "admission", "congestion",
                                        "dcqcn", "failed", "degraded", "measured", "subnet"};
  const std::vector<std::string_view> of_shape = keys_of_shape(root);
  keys.insert(keys.end(), of_shape.begin(), of_shape.end());
  root.allow(keys);
  FabricFile fabric{.file = file, .name = root.word("name").value_or(file), .preset = *root.word("preset")};
  read_link(root, fabric);
  if (!root.has("link")) fabric.assumed.emplace_back("links of 400 Gbit/s");
  fabric.shape = read_shape(root, fabric.link);
  fabric.radix = root.count("radix");
  read_server(root, fabric);
  refuse_indivisible(root, fabric);
  read_nodes(root, fabric);
  read_switches(root, fabric);
  read_tiers(root, fabric);
  read_routing(root, fabric);
  read_addresses(root, fabric);
  read_tables(root, fabric);
  read_admission(root, fabric);
  read_faults(root, fabric);
  read_measured(root, fabric);
  read_rate_control(root, fabric);
  return fabric;
}

}  // namespace

FabricFile parse_fabric(const std::string& toml, const std::string& file,
                        std::span<const KeyValue> replaced) {
  toml::table table = core::parse_toml(toml, file);
  const core::TomlSource source = training::finite_source(file, replace_keys(table, replaced));
  return fabric_from(core::TomlSection(source, table), file);
}

std::string fabric_text(const std::string& file) {
  std::string text = core::read_input(file, "a fabric in TOML", longest_fabric);
  if (const site::ListKind kind = site::list_kind_of(text); !kind.word.empty())
    core::usage_error(fmt::format(
        "{}: expected a fabric in TOML, got {}: assay fabric read --topology {}={} -o site.toml makes one",
        file, kind.tool, kind.word, file));
  return text;
}

FabricFile read_fabric(const std::string& file, std::span<const KeyValue> replaced) {
  return parse_fabric(fabric_text(file), file, replaced);
}

}  // namespace assay::model::fabric
