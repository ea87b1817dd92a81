// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_topology.hpp"

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/site/xml_elements.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

/// From the element outwards, itself first, to the root.
std::vector<std::size_t> ancestors(const std::vector<XmlElement>& elements, std::size_t at) {
  std::vector<std::size_t> line;
  for (; at != XmlElement::none; at = elements[at].parent) line.push_back(at);
  return line;
}

/// Elements from `one` to the first that it shares with `other`.
std::uint32_t distance(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
  const auto shared = std::ranges::find_if(
      one, [&](std::size_t element) { return std::ranges::find(other, element) != other.end(); });
  return static_cast<std::uint32_t>(shared - one.begin());
}

constexpr double mbit_per_gbit = 1000;

NcclGpu gpu_at(const std::vector<XmlElement>& elements, std::size_t at,
               const std::vector<std::size_t>& outwards, const std::string& file) {
  const XmlElement& one = elements[at];
  const XmlElement& function = elements[one.parent];
  NcclGpu gpu{.device = whole_number(one, "dev", 0, file), .bus_id = function.attribute("busid")};
  gpu.link_gt_per_s = core::leading_number(function.attribute("link_speed"));
  gpu.link_width = whole_number(function, "link_width", 0, file);
  for (const std::size_t outer : outwards)
    if (const XmlElement& cpu = elements[outer];
        cpu.name == "cpu" && cpu.attribute("numaid") != "-1" && !cpu.attribute("numaid").empty())
      gpu.numa = whole_number(cpu, "numaid", 0, file);
  for (const XmlElement& element : elements)
    if (element.name == "nvlink" && element.parent == at)
      gpu.nvlinks += whole_number(element, "count", 1, file);
  return gpu;
}

NcclNic nic_of(const XmlElement& net, const std::string& file) {
  NcclNic nic{.name = net.attribute("name"),
              .port = whole_number(net, "port", 1, file),
              .gbit_per_s = whole_number(net, "speed", 0, file) / mbit_per_gbit,
              .device = whole_number(net, "dev", 0, file)};
  if (!net.attribute("gdr").empty()) nic.gpudirect = whole_number(net, "gdr", 0, file) != 0;
  return nic;
}

}  // namespace

NcclNode parse_nccl_topology(const std::string& text, const std::string& file) {
  const std::vector<XmlElement> elements = parse_xml(text, file);
  if (elements.front().name != "system")
    core::usage_error(file + ":" + std::to_string(elements.front().line) +
                      ": expected NCCL's topology, whose outermost element is 'system', got '" +
                      elements.front().name + "'");
  NcclNode node;
  std::vector<std::vector<std::size_t>> of_gpus, of_nics;
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const XmlElement& one = elements[at];
    // The PCIe function that the GPU is.
    const std::vector<std::size_t> outwards =
        one.parent == XmlElement::none ? std::vector<std::size_t>() : ancestors(elements, one.parent);
    if (one.name == "gpu") {
      node.gpus.push_back(gpu_at(elements, at, outwards, file));
      of_gpus.push_back(outwards);
    } else if (one.name == "net" && !one.attribute("name").empty()) {
      node.nics.push_back(nic_of(one, file));
      of_nics.push_back(outwards);
    }
  }
  if (node.gpus.empty()) core::usage_error(file + ": names no GPU (an element 'gpu')");
  for (std::size_t gpu = 0; gpu < node.gpus.size(); ++gpu)
    for (std::size_t nic = 0; nic < node.nics.size(); ++nic) {
      NcclGpu& one = node.gpus[gpu];
      const std::uint32_t away = distance(of_gpus[gpu], of_nics[nic]);
      if (one.nearest.empty() || away < one.distance) {
        one.nearest = {nic};
        one.distance = away;
      } else if (away == one.distance) {
        one.nearest.push_back(nic);
      }
    }
  std::ranges::stable_sort(node.gpus, {}, &NcclGpu::device);
  return node;
}

NcclNode read_nccl_topology(const std::string& file) {
  return parse_nccl_topology(read_text(file, "NCCL's topology in XML"), file);
}

}  // namespace assay::model::fabric::site
