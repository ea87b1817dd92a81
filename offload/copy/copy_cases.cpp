// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

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

core::Work work_of(const core::Point& point) {
  const CopyWay way = copy_way(point);
  return counted(way.bytes, way.direction == CopyDirection::both);
}

std::optional<std::string> why_not(const core::Point& point) {
  const CopyWay way = copy_way(point);
  if (way.memory == MemoryKind::pageable && way.by == CopyBy::sm)
    return "memory=pageable: no kernel addresses it (expected memory that is page-locked, or by=engine)";
  if (way.memory == MemoryKind::pageable && way.direction == CopyDirection::both)
    return "memory=pageable: the driver copies it in the calling thread, one way after the other";
  if (auto why = cuda::device_unavailable(point)) return why;
  return no_space(way, 1, free_device_bytes(cuda::gpu_of(point)), host::available_memory_bytes(way.node));
}

core::Case copy_case(const machine::Machine& machine) {
  return {.name = "offload.cuda.copy",
          .measures = "copies between host and GPU: which way, by what, from which memory of which node",
          .headline = core::Headline::bandwidth_gb_per_s,
          .axes = {cuda::gpu_axis(),
                   {"numa", "NUMA node of the host's memory; -1: any", Domain::integers, nodes_of(machine)},
                   bytes_axis("copied each way"),
                   direction_axis(),
                   by_axis("copy engine, or a kernel that addresses the host's memory"),
                   memory_axis(all_memory_kinds()),
                   blocks_axis()},
          .work = work_of,
          .unsupported = why_not,
          .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<CopyTrial>(copy_way(point), cuda::gpu_of(point));
          }};
}

core::Axis gpus_axis(const char* name, const char* meaning) {
  core::Axis axis = cuda::gpu_axis();
  axis.name = name;
  axis.meaning = meaning;
  return axis;
}

core::Case peer_case() {
  return {
      .name = "offload.cuda.peer_copy",
      .measures = "copies from one GPU of a node to another, by engine and by kernel",
      .headline = core::Headline::bandwidth_gb_per_s,
      .axes =
          {gpus_axis("from", "CUDA device index of the source"),
           gpus_axis("to", "CUDA device index of the target"),
           bytes_axis("copied each way"),
           by_axis("copy engine, or a kernel that addresses the other GPU's memory"),
           {"on", "whose engine or multiprocessors copy", Domain::words, {"source"}, {"source", "target"}},
           ways_axis(),
           blocks_axis()},
      .work = [](const core::Point& point) -> core::Work {
        return counted(peer_way(point).bytes, peer_way(point).both);
      },
      .unsupported = [](const core::Point& point) -> std::optional<std::string> {
        const PeerWay way = peer_way(point);
        if (auto why = cuda::device_unavailable()) return why;
        if (auto why = not_two_gpus(way, cuda::device_count())) return why;
        return no_space(way, free_device_bytes(way.from), free_device_bytes(way.to));
      },
      .prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
        return std::make_unique<PeerTrial>(peer_way(point));
      }};
}

std::int64_t gpus_of(const core::Point& point) { return within(point, "gpus", 1, 1 << 10); }

std::vector<CopyWay> ways_of(const machine::Machine& machine, const core::Point& point) {
  std::vector<CopyWay> ways(static_cast<std::size_t>(gpus_of(point)), copy_way(point));
  for (std::size_t gpu = 0; gpu < ways.size(); ++gpu)
    ways[gpu].node = nearest_node(machine, cuda::describe_device(static_cast<int>(gpu)).pci_address);
  return ways;
}

std::optional<std::string> why_not_together(const core::Point& point) {
  const CopyWay way = copy_way(point);
  const std::int64_t gpus = gpus_of(point);
  if (auto why = cuda::device_unavailable()) return why;
  if (gpus > cuda::device_count())
    return fmt::format("gpus={} but this process sees {} device(s)", gpus, cuda::device_count());
  return no_space(way, gpus, free_device_bytes(0), host::available_memory_bytes(-1));
}

core::Case node_case(const machine::Machine& machine) {
  const std::int64_t all = std::max(1, cuda::device_count());
  std::vector<std::string> queued = all_memory_kinds();
  std::erase(queued, to_string(MemoryKind::pageable));
  return {.name = "offload.cuda.node_copy",
          .measures = "copies between the host and several of its GPUs at once, and each of them alone",
          .headline = core::Headline::bandwidth_gb_per_s,
          .axes = {{"gpus", "how many GPUs, from device 0 on", Domain::integers, {all}, {}, {{"all", all}}},
                   bytes_axis("copied each way by each GPU, from and to its nearest NUMA node"),
                   direction_axis(),
                   by_axis("copy engine, or a kernel that addresses the host's memory"),
                   memory_axis(queued),
                   blocks_axis()},
          .work = [](const core::Point& point) -> core::Work {
            return {.bytes = static_cast<double>(gpus_of(point)) * work_of(point).bytes,
                    .bytes_counted = "copied by all GPUs together"};
          },
          .unsupported = why_not_together,
          .prepare = [machine](const core::Point& point) -> std::unique_ptr<core::Trial> {
            return std::make_unique<NodeTrial>(ways_of(machine, point));
          }};
}

}  // namespace

int nearest_node(const machine::Machine& machine, const std::string& pci_address) {
  for (const machine::Gpu& gpu : machine.gpus)
    if (gpu.pcie.address == pci_address) return gpu.pcie.numa_node;
  return -1;
}

std::vector<core::Case> copy_cases(const machine::Machine& machine) {
  return {copy_case(machine), peer_case(), node_case(machine)};
}

}  // namespace assay::offload
