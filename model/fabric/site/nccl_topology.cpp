// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_topology.hpp"

#include <algorithm>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/site/xml_elements.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric::site {

namespace {

/// Elements from `one` to the first that it shares with `other`.
std::uint32_t distance(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
  const auto shared = std::ranges::find_if(
      one, [&](std::size_t element) { return std::ranges::find(other, element) != other.end(); });
  return static_cast<std::uint32_t>(shared - one.begin());
}

constexpr double mbit_per_gbit = 1000;

constexpr unsigned host_shift = 56;         // NCCL_TOPO_ID of 2.30.7, src/graph/topo.h
constexpr std::size_t most_devices = 1024;  // each pair of a GPU and an adapter is looked at

class TopologyReader {
 public:
  TopologyReader(const std::vector<XmlElement>& elements, const std::string& file)
      : elements_(elements), file_(file) {}

  std::vector<NcclNode> read() {
    count_nvlinks();
    for (std::size_t at = 0; at < elements_.size(); ++at) {
      const XmlElement& one = elements_[at];
      if (one.name == "cpu") host_of(at);  // hosts are numbered by their processors
      if (one.parent == XmlElement::none) continue;
      if (one.name == "gpu") add_gpu(at);
      if (one.name == "net" && !one.attribute("name").empty()) add_nic(at);
    }
    std::vector<NcclNode> nodes;
    for (Host& host : hosts_) {
      find_nearest(host);
      if (!host.node.gpus.empty()) nodes.push_back(std::move(host.node));
    }
    if (nodes.empty()) core::usage_error(file_ + ": names no GPU (an element 'gpu')");
    return nodes;
  }

 private:
  struct Host {
    NcclNode node = {};
    std::vector<std::vector<std::size_t>> of_gpus = {}, of_nics = {};  // outwards
  };

  /// From the element outwards, itself first, to the root.
  std::vector<std::size_t> ancestors(std::size_t at) const {
    std::vector<std::size_t> line;
    for (; at != XmlElement::none; at = elements_[at].parent) line.push_back(at);
    return line;
  }

  /// The host of the processor that the element is, or is below; without a hash, the first host.
  std::size_t host_of(std::size_t at) {
    while (at != XmlElement::none && elements_[at].name != "cpu") at = elements_[at].parent;
    const std::string hash = at == XmlElement::none ? "" : elements_[at].attribute("host_hash");
    if (hash.empty() && !hosts_.empty()) return 0;
    const auto [place, is_new] = places_.try_emplace(hash, hosts_.size());
    if (is_new) hosts_.emplace_back().node.host_hash = hash;
    return place->second;
  }

  std::uint64_t device(const XmlElement& one, std::size_t host) const {
    return (std::uint64_t{host} << host_shift) + whole_number(one, "dev", 0, file_);
  }

  void refuse_too_many(const XmlElement& one, std::size_t count) const {
    if (count == most_devices)
      core::usage_error(file_ + ":" + std::to_string(one.line) + ": expected at most " +
                        std::to_string(most_devices) + " elements '" + one.name + "' of a host");
  }

  void count_nvlinks() {
    for (const XmlElement& one : elements_)
      if (one.name == "nvlink" && one.parent != XmlElement::none)
        nvlinks_[one.parent] += whole_number(one, "count", 1, file_);
  }

  void add_gpu(std::size_t at) {
    const XmlElement& one = elements_[at];
    const XmlElement& function = elements_[one.parent];
    const std::size_t host = host_of(at);
    NcclGpu gpu{.device = device(one, host), .bus_id = function.attribute("busid")};
    gpu.link_gt_per_s = core::leading_number(function.attribute("link_speed"));
    gpu.link_width = whole_number(function, "link_width", 0, file_);
    gpu.nvlinks = nvlinks_[at];
    std::vector<std::size_t> outwards = ancestors(one.parent);
    for (const std::size_t outer : outwards)
      if (elements_[outer].name == "cpu")
        if (const std::int64_t numa = signed_number(elements_[outer], "numaid", -1, file_); numa >= 0)
          gpu.numa = static_cast<std::uint32_t>(numa);
    refuse_too_many(one, hosts_[host].node.gpus.size());
    hosts_[host].node.gpus.push_back(std::move(gpu));
    hosts_[host].of_gpus.push_back(std::move(outwards));
  }

  void add_nic(std::size_t at) {
    const XmlElement& net = elements_[at];
    const std::size_t host = host_of(at);
    const std::int64_t mbit_per_s = signed_number(net, "speed", 0, file_);  // -1 where the driver has none
    NcclNic nic{.name = net.attribute("name"),
                .port = whole_number(net, "port", 1, file_),
                .gbit_per_s = mbit_per_s > 0 ? static_cast<double>(mbit_per_s) / mbit_per_gbit : 0,
                .device = device(net, host)};
    if (!net.attribute("gdr").empty()) nic.gpudirect = signed_number(net, "gdr", 0, file_) != 0;
    refuse_too_many(net, hosts_[host].node.nics.size());
    hosts_[host].node.nics.push_back(std::move(nic));
    hosts_[host].of_nics.push_back(ancestors(net.parent));
  }

  static void find_nearest(Host& host) {
    NcclNode& node = host.node;
    for (std::size_t gpu = 0; gpu < node.gpus.size(); ++gpu)
      for (std::size_t nic = 0; nic < node.nics.size(); ++nic) {
        NcclGpu& one = node.gpus[gpu];
        const std::uint32_t away = distance(host.of_gpus[gpu], host.of_nics[nic]);
        if (one.nearest.empty() || away < one.distance) {
          one.nearest = {nic};
          one.distance = away;
        } else if (away == one.distance) {
          one.nearest.push_back(nic);
        }
      }
    std::ranges::stable_sort(node.gpus, {}, &NcclGpu::device);
  }

  const std::vector<XmlElement>& elements_;
  const std::string& file_;
  std::vector<Host> hosts_;
  std::map<std::string, std::size_t> places_;     // of hosts, by hash
  std::map<std::size_t, std::uint32_t> nvlinks_;  // by GPU
};

}  // namespace

std::vector<NcclNode> parse_nccl_topology(const std::string& text, const std::string& file) {
  const std::vector<XmlElement> elements = parse_xml(text, file);
  if (elements.front().name != "system")
    core::usage_error(file + ":" + std::to_string(elements.front().line) +
                      ": expected NCCL's topology, whose outermost element is 'system', got '" +
                      elements.front().name + "'");
  return TopologyReader(elements, file).read();
}

std::vector<NcclNode> read_nccl_topology(const std::string& file) {
  return parse_nccl_topology(read_text(file, "NCCL's topology in XML"), file);
}

}  // namespace assay::model::fabric::site
