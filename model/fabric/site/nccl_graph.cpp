// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_graph.hpp"

#include <array>

#include "harness/core/error.hpp"
#include "model/fabric/site/xml_elements.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

/// By number (NCCL_TOPO_PATTERN_* of 2.28, src/include/graph.h).
std::string pattern_name(std::uint32_t number) {
  constexpr std::array names{"", "balanced tree", "split tree", "tree", "ring", "nvls", "collnet direct"};
  return number > 0 && number < names.size() ? names[number] : "pattern " + std::to_string(number);
}

}  // namespace

std::vector<NcclGraph> parse_nccl_graphs(const std::string& text, const std::string& file) {
  const std::vector<XmlElement> elements = parse_xml(text, file);
  if (elements.front().name != "graphs")
    core::usage_error(file + ":" + std::to_string(elements.front().line) +
                      ": expected NCCL's graphs, whose outermost element is 'graphs', got '" +
                      elements.front().name + "'");
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
    if (one.name == "net" && channel.gpus.empty()) channel.enters_by = whole_number(one, "dev", 0, file);
    if (one.name == "gpu") channel.gpus.push_back(whole_number(one, "dev", 0, file));
  }
  return graphs;
}

std::vector<NcclGraph> read_nccl_graphs(const std::string& file) {
  return parse_nccl_graphs(read_text(file, "NCCL's graphs in XML"), file);
}

}  // namespace assay::model::fabric::site
