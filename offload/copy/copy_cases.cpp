// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "harness/host/available_memory.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/copy_space.hpp"
#include "offload/copy/copy_trial.hpp"
#include "offload/copy/node_trial.hpp"
#include "offload/copy/peer_trial.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

std::vector<Value> nodes_of(const machine::Machine& machine) {
  std::vector<Value> nodes;
  for (const machine::NumaNode& node : machine.numa)
    if (node.bytes > 0 && !node.cpus.empty()) nodes.emplace_back(std::int64_t{node.id});
  if (nodes.empty()) nodes.emplace_back(std::int64_t{-1});
  return nodes;
}

core::Work counted(std::int64_t bytes, bool both_ways) {
  return {.bytes = (both_ways ? 2 : 1) * static_cast<double>(bytes),
          .bytes_counted = both_ways ? "copied, both ways together" : "copied"};
}

core::Work work_of(const CopyWay& way) { return counted(way.bytes, way.direction == CopyDirection::both); }

class HostCopyCase : public CopyTrial {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    CopyWay way;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.copy";
  static constexpr std::string_view measures =
      "copies between host and GPU: which way, by what, from which memory of which node";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes(const Surroundings& around) {
    return {cuda::gpu_axis(),
            {"numa", "NUMA node of the host's memory; -1: any", Domain::integers, nodes_of(around.machine)},
            bytes_axis("copied each way"),
            direction_axis(),
            by_axis("copy engine, or a kernel that addresses the host's memory"),
            memory_axis(all_memory_kinds()),
            blocks_axis()};
  }
  static Settings settings(const core::Point& point) { return {copy_way(point), {cuda::gpu_of(point)}}; }
  static core::Work work(const Settings& settings) { return work_of(settings.way); }
  static std::optional<std::string> impossible(const Settings& settings) {
    const CopyWay& way = settings.way;
    if (way.memory == MemoryKind::pageable && way.by == CopyBy::sm)
      return "memory=pageable: no kernel addresses it (expected memory that is page-locked, or by=engine)";
    if (way.memory == MemoryKind::pageable && way.direction == CopyDirection::both)
      return "memory=pageable: the driver copies it in the calling thread, one way after the other";
    return std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    return no_space(settings.way, 1, free_device_bytes(settings.place.gpu),
                    host::available_memory_bytes(settings.way.node));
  }
  HostCopyCase(const Settings& settings, Site& site) : CopyTrial(settings.way, site) {}
};

core::Axis gpus_axis(const char* name, const char* meaning) {
  core::Axis axis = cuda::gpu_axis();
  axis.name = name;
  axis.meaning = meaning;
  return axis;
}

class PeerCopyCase : public PeerTrial {
 public:
  /// Which of the two devices is missing, not_two_gpus says better.
  struct Site : cuda::GatedSite {
    using GatedSite::GatedSite;
    static std::optional<std::string> unavailable(const Place&) { return cuda::device_unavailable(); }
  };
  struct Settings {
    PeerWay way;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.peer_copy";
  static constexpr std::string_view measures =
      "copies from one GPU of a node to another, by engine and by kernel";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes() {
    return {gpus_axis("from", "CUDA device index of the source"),
            gpus_axis("to", "CUDA device index of the target"),
            bytes_axis("copied each way"),
            by_axis("copy engine, or a kernel that addresses the other GPU's memory"),
            {"on", "whose engine or multiprocessors copy", Domain::words, {"source"}, {"source", "target"}},
            ways_axis(),
            blocks_axis()};
  }
  static Settings settings(const core::Point& point) {
    const PeerWay way = peer_way(point);
    return {way, {way.runs_on()}};
  }
  static core::Work work(const Settings& settings) { return counted(settings.way.bytes, settings.way.both); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    const PeerWay& way = settings.way;
    if (auto why = not_two_gpus(way, cuda::device_count())) return why;
    return no_space(way, free_device_bytes(way.from), free_device_bytes(way.to));
  }
  PeerCopyCase(const Settings& settings, Site& site) : PeerTrial(settings.way, site) {}
};

class NodeCopyCase : public NodeTrial {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CopyWay way;
    std::int64_t gpus = 1;
    const machine::Machine* machine = nullptr;
    Site::Place place = {};
  };
  static constexpr std::string_view name = "offload.cuda.node_copy";
  static constexpr std::string_view measures =
      "copies between the host and several of its GPUs at once, and each of them alone";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes() {
    const std::int64_t all = std::max(1, cuda::device_count());
    std::vector<std::string> queued = all_memory_kinds();
    std::erase(queued, to_string(MemoryKind::pageable));
    return {{"gpus", "how many GPUs, from device 0 on", Domain::integers, {all}, {}, {{"all", all}}},
            bytes_axis("copied each way by each GPU, from and to its nearest NUMA node"),
            direction_axis(),
            by_axis("copy engine, or a kernel that addresses the host's memory"),
            memory_axis(queued),
            blocks_axis()};
  }
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {copy_way(point), within(point, "gpus", 1, 1 << 10), &around.machine};
  }
  static core::Work work(const Settings& settings) {
    return {.bytes = static_cast<double>(settings.gpus) * work_of(settings.way).bytes,
            .bytes_counted = "copied by all GPUs together"};
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto why = cuda::device_unavailable()) return why;
    if (settings.gpus > cuda::device_count())
      return fmt::format("gpus={} but this process sees {} device(s)", settings.gpus, cuda::device_count());
    return no_space(settings.way, settings.gpus, free_device_bytes(0), host::available_memory_bytes(-1));
  }
  NodeCopyCase(const Settings& settings, Site&) : NodeTrial(ways_of(settings)) {}

 private:
  static std::vector<CopyWay> ways_of(const Settings& settings) {
    std::vector<CopyWay> ways(static_cast<std::size_t>(settings.gpus), settings.way);
    for (std::size_t gpu = 0; gpu < ways.size(); ++gpu)
      ways[gpu].node =
          nearest_node(*settings.machine, cuda::describe_device(static_cast<int>(gpu)).pci_address);
    return ways;
  }
};

}  // namespace

int nearest_node(const machine::Machine& machine, const std::string& pci_address) {
  for (const machine::Gpu& gpu : machine.gpus)
    if (gpu.pcie.address == pci_address) return gpu.pcie.numa_node;
  return -1;
}

std::vector<core::Case> copy_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<HostCopyCase>(around), case_of<PeerCopyCase>(around), case_of<NodeCopyCase>(around)};
}

}  // namespace assay::offload
