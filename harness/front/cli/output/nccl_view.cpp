// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/nccl_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/core/units.hpp"
#include "harness/front/cli/output/nccl_adapters.hpp"
#include "harness/machine/topology/distances.hpp"

namespace assay::cli {
namespace {

using model::fabric::site::NcclChannel;
using model::fabric::site::NcclGpu;
using model::fabric::site::NcclGraph;
using model::fabric::site::NcclNic;
using model::fabric::site::NcclNode;

/// NCCL writes hexadecimal digits as the driver does, in either case.
std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
  return text;
}

constexpr std::uint64_t host_of(std::uint64_t device) { return device >> 56U; }  // as NcclGpu::device has it

class Views {
 public:
  Views(const NcclNode& nccl, std::span<const NcclGraph> graphs, const machine::Machine& ours)
      : nccl_(nccl), graphs_(graphs), ours_(ours) {}

  std::vector<ViewDifference> compared() {
    compare_gpus();
    compare_adapters();
    for (const NcclGraph& graph : graphs_) compare_graph(graph);
    return std::move(found_);
  }

 private:
  void add(const std::string& of, const std::string& what, const std::string& nccl, const std::string& ours) {
    if (nccl != ours) found_.push_back({of, what, nccl, ours});
  }

  const machine::Gpu* gpu_at(const std::string& bus_id) const {
    const auto found = std::ranges::find(
        ours_.gpus, lower_case(bus_id), [](const machine::Gpu& gpu) { return lower_case(gpu.pcie.address); });
    return found == ours_.gpus.end() ? nullptr : &*found;
  }
  /// The port of NCCL's adapter; nothing where its place in the tree is not to be compared.
  const machine::Hca* placed_adapter(const NcclNic& nic) const {
    const std::vector<const machine::Hca*> ports = ports_of(nic, ours_);
    return ports.empty() || !place_is_known(nic, ours_) ? nullptr : ports.front();
  }

  void compare_gpus() {
    std::set<const machine::Gpu*> seen;
    for (const NcclGpu& gpu : nccl_.gpus) {
      const std::string name = "GPU " + gpu.bus_id;
      const machine::Gpu* const ours = gpu_at(gpu.bus_id);
      if (ours == nullptr) {
        add(name, "GPU", "there", "not there");
        continue;
      }
      seen.insert(ours);
      compare_gpu(name, gpu, *ours);
    }
    for (const machine::Gpu& gpu : ours_.gpus)
      if (!seen.contains(&gpu)) add("GPU " + gpu.pcie.address, "GPU", "not there", "there");
  }

  void compare_gpu(const std::string& name, const NcclGpu& gpu, const machine::Gpu& ours) {
    if (gpu.link_width > 0 && ours.pcie.width > 0)
      add(name, "PCIe width", fmt::format("x{}", gpu.link_width), fmt::format("x{}", ours.pcie.width));
    // Only a higher one differs: NCCL 2.30.7 and later dump the speed of now, which an idle GPU lowers.
    if (gpu.link_gt_per_s > ours.pcie.max_speed_gt_per_s && ours.pcie.max_speed_gt_per_s > 0)
      add(name, "PCIe speed", fmt::format("{} GT/s", gpu.link_gt_per_s),
          fmt::format("{} GT/s", ours.pcie.max_speed_gt_per_s));
    if (gpu.numa && ours.pcie.numa_node >= 0)
      add(name, "NUMA node", std::to_string(*gpu.numa), std::to_string(ours.pcie.numa_node));
    if (ours.nvlinks_active)
      add(name, "NVLinks", std::to_string(gpu.nvlinks), std::to_string(*ours.nvlinks_active));
    if (const std::set<std::string> nearest = nearest_to(ours); !nearest.empty())
      add(name, "nearest adapters", fmt::format("{}", fmt::join(nearest_of(gpu), " ")),
          fmt::format("{}", fmt::join(nearest, " ")));
  }

  /// Names of NCCL's nearest adapters, among those that both know.
  std::set<std::string> nearest_of(const NcclGpu& gpu) const {
    std::set<std::string> names;
    for (const std::size_t nic : gpu.nearest)
      if (placed_adapter(nccl_.nics[nic]) != nullptr) names.insert(nccl_.nics[nic].name);
    return names;
  }
  std::set<std::string> nearest_to(const machine::Gpu& gpu) const {
    std::set<std::string> names;
    std::size_t least = 0;
    for (const NcclNic& nic : nccl_.nics) {
      const machine::Hca* const hca = placed_adapter(nic);
      if (hca == nullptr) continue;
      const std::string word = distance_between(gpu.pcie.address, hca->pcie.address);
      if (word.empty()) return {};  // one unknown distance leaves the nearest unknown
      const std::size_t away = machine::farness(word);
      if (names.empty() || away < least) names.clear();
      if (names.empty() || away == least) {
        names.insert(nic.name);
        least = away;
      }
    }
    return names;
  }
  std::string distance_between(const std::string& one, const std::string& other) const {
    for (const machine::Distance& known : ours_.distances)
      if ((known.from == one && known.to == other) || (known.from == other && known.to == one))
        return known.distance;
    return {};
  }

  void compare_adapters() {
    std::set<const machine::Hca*> seen;
    for (const NcclNic& nic : nccl_.nics) {
      const std::string name = fmt::format("{}:{}", nic.name, nic.port);
      const std::vector<const machine::Hca*> ports = ports_of(nic, ours_);
      if (ports.empty()) {
        add(name, "adapter", "there", "no RDMA port of that name");
        continue;
      }
      seen.insert(ports.begin(), ports.end());
      if (const double rate = rate_of(ports); rate > 0 && nic.gbit_per_s > 0)
        add(name, "rate", fmt::format("{} Gbit/s", nic.gbit_per_s), fmt::format("{} Gbit/s", rate));
      if (nic.gpudirect == false) add(name, "GPUDirect RDMA", "off", "GPUs and an RDMA port");
    }
    for (const machine::Hca& hca : ours_.hcas)
      if (!hca.software && hca.state.find("ACTIVE") != std::string::npos && !seen.contains(&hca))
        add(fmt::format("{}:{}", hca.device, hca.port), "adapter", "not there", "there, active");
  }

  /// The rate of all ports together, in Gbit/s; 0: one is unknown.
  static double rate_of(const std::vector<const machine::Hca*>& ports) {
    double rate = 0;
    for (const machine::Hca* const port : ports) {
      const double one = core::leading_number(port->rate);
      if (!(one > 0)) return 0;
      rate += one;
    }
    return rate;
  }

  void compare_graph(const NcclGraph& graph) {
    const std::string name = fmt::format("graph {} ({})", graph.id, graph.pattern);
    const bool all_linked =
        !ours_.gpus.empty() && std::ranges::all_of(ours_.gpus, [](const machine::Gpu& gpu) {
          return gpu.nvlinks_active.value_or(0) > 0;
        });
    if (nccl_.gpus.size() > 1 && all_linked && !graph.type_intra.empty() &&
        !graph.type_intra.starts_with("NV"))
      add(name, "between GPUs", graph.type_intra, "NVLink");
    for (std::size_t channel = 0; channel < graph.channels.size(); ++channel)
      compare_entry(fmt::format("{} channel {}", name, channel), graph.channels[channel]);
  }

  /// Channels of an NVLink domain go through several hosts.
  bool is_of_another_host(std::uint64_t device) const {
    return host_of(device) != host_of(nccl_.gpus.front().device);
  }

  void compare_entry(const std::string& name, const NcclChannel& channel) {
    if (!channel.enters_by || channel.gpus.empty()) return;
    if (is_of_another_host(channel.gpus.front())) return;
    const auto nic = std::ranges::find(nccl_.nics, *channel.enters_by, &NcclNic::device);
    const auto gpu = std::ranges::find(nccl_.gpus, channel.gpus.front(), &NcclGpu::device);
    if (nic == nccl_.nics.end() || gpu == nccl_.gpus.end())
      return add(name, "adapter and GPU", fmt::format("{} and {}", *channel.enters_by, channel.gpus.front()),
                 "not in NCCL's topology");
    const machine::Gpu* const ours = gpu_at(gpu->bus_id);
    if (ours == nullptr || placed_adapter(*nic) == nullptr) return;
    const std::set<std::string> nearest = nearest_to(*ours);
    if (!nearest.empty() && !nearest.contains(nic->name))
      add(name, "adapter of GPU " + gpu->bus_id, nic->name, fmt::format("{}", fmt::join(nearest, " ")));
  }

  const NcclNode& nccl_;
  std::span<const NcclGraph> graphs_;
  const machine::Machine& ours_;
  std::vector<ViewDifference> found_;
};

}  // namespace

std::vector<ViewDifference> view_differences(const NcclNode& nccl, std::span<const NcclGraph> graphs,
                                             const machine::Machine& ours) {
  return Views(nccl, graphs, ours).compared();
}

View best_view(std::span<const NcclNode> hosts, std::span<const NcclGraph> graphs,
               const machine::Machine& ours) {
  View best{.host = hosts.front(), .hosts = hosts.size(), .differences = {}};
  for (const NcclNode& host : hosts) {
    std::vector<ViewDifference> found = view_differences(host, graphs, ours);
    if (&host != &hosts.front() && found.size() >= best.differences.size()) continue;
    best.host = host;
    best.differences = std::move(found);
  }
  return best;
}

results::Table view_table(const View& view, const machine::Machine& ours) {
  const NcclNode& nccl = view.host;
  results::Table table{
      .title = "NCCL's view of the topology and assay's: " +
               core::counted(std::ssize(view.differences), "difference"),
      .notes = {fmt::format("NCCL: {} GPUs, {} adapters; assay: {} GPUs, {} ports of adapters",
                            nccl.gpus.size(), nccl.nics.size(), ours.gpus.size(), ours.hcas.size()),
                "PCIe: NCCL's width and the trained one; its speed, where higher, and the most of both "
                "ends (NCCL 2.30.7 and later write what links have now, and idle GPUs lower their speed)"},
      .columns = {{"of"}, {"what"}, {"NCCL"}, {"assay"}}};
  if (view.hosts > 1)
    table.notes.push_back(fmt::format("The file has {} hosts; compared is {}, which differs least.",
                                      view.hosts,
                                      nccl.host_hash.empty() ? "one without a host_hash" : nccl.host_hash));
  for (const ViewDifference& one : view.differences)
    table.rows.push_back({one.of, one.what, one.nccl, one.ours});
  return table;
}

}  // namespace assay::cli
