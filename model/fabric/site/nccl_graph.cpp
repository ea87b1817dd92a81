// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_graph.hpp"

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"
#include "model/fabric/site/xml_elements.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

/// The name of a pattern by its number (NCCL_TOPO_PATTERN_* of 2.28, src/include/graph.h).
std::string pattern_name(std::uint32_t number) {
  constexpr std::array names{"", "balanced tree", "split tree", "tree", "ring", "nvls", "collnet direct"};
  return number > 0 && number < names.size() ? names[number] : "pattern " + std::to_string(number);
}

/// NCCL reads `dev` in base 16, and since 2.21.5 writes it so, with "0x" before all but 0. Before, it wrote
/// base 10: a dump in which no number has "0x" or a letter.
int base_of_devices(const std::vector<XmlElement>& elements) {
  const bool is_hexadecimal = std::ranges::any_of(elements, [](const XmlElement& one) {
    return one.attribute("dev").find_first_of("xabcdefABCDEF") != std::string::npos;
  });
  return is_hexadecimal ? 16 : 10;
}

std::uint64_t device(const XmlElement& one, int base, const std::string& file) {
  return one.attribute("dev").empty() ? 0 : number_in_base(one, "dev", base, file);
}

}  // namespace

std::vector<NcclGraph> parse_nccl_graphs(const std::string& text, const std::string& file) {
  const std::vector<XmlElement> elements = parse_xml(text, file);
  if (elements.front().name != "graphs")
    core::usage_error(file + ":" + std::to_string(elements.front().line) +
                      ": expected NCCL's graphs, whose outermost element is 'graphs', got '" +
                      elements.front().name + "'");
  const int base = base_of_devices(elements);
  std::vector<NcclGraph> graphs;
  for (const XmlElement& one : elements) {
    if (one.name == "graph")
      graphs.push_back({.id = whole_number(one, "id", 0, file),
                        .pattern = pattern_name(whole_number(one, "pattern", 0, file)),
                        .type_intra = one.attribute("typeintra"),
                        .type_inter = one.attribute("typeinter"),
                        .channels = {}});
    if (one.name == "graphs" || one.name == "graph") continue;
    if (graphs.empty() || (one.name != "channel" && graphs.back().channels.empty()))
      core::usage_error(file + ":" + std::to_string(one.line) + ": " + one.name +
                        ": expected within a channel of a graph");
    if (one.name == "channel") {
      graphs.back().channels.emplace_back();
      continue;
    }
    NcclChannel& channel = graphs.back().channels.back();
    if (one.name == "net" && channel.gpus.empty()) channel.enters_by = device(one, base, file);
    if (one.name == "gpu") channel.gpus.push_back(device(one, base, file));
  }
  return graphs;
}

std::vector<NcclGraph> read_nccl_graphs(const std::string& file) {
  return parse_nccl_graphs(read_text(file, "NCCL's graphs in XML"), file);
}

}  // namespace assay::model::fabric::site
