// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_declarations.hpp"

#include <algorithm>

#include "harness/core/measure/within.hpp"
#include "offload/copy/copy_point.hpp"

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

core::Axis gpus_axis(const char* name, const char* meaning) {
  core::Axis axis = cuda::gpu_axis();
  axis.name = name;
  axis.meaning = meaning;
  return axis;
}

}  // namespace

std::vector<core::Axis> DeclaredHostCopy::axes(const Surroundings& around) {
  return {cuda::gpu_axis(),
          {"numa", "NUMA node of the host's memory; -1: any", Domain::integers, nodes_of(around.machine)},
          bytes_axis("copied each way"),
          direction_axis(),
          by_axis("copy engine, or a kernel that addresses the host's memory"),
          memory_axis(all_memory_kinds()),
          blocks_axis()};
}

DeclaredHostCopy::Settings DeclaredHostCopy::settings(const core::Point& point) {
  return {copy_way(point), {cuda::gpu_of(point)}};
}

core::Work DeclaredHostCopy::work(const Settings& settings) {
  return copy_work(settings.way.bytes, settings.way.ways());
}

std::vector<core::Axis> DeclaredPeerCopy::axes() {
  return {gpus_axis("from", "CUDA device index of the source"),
          gpus_axis("to", "CUDA device index of the target"),
          bytes_axis("copied each way"),
          by_axis("copy engine, or a kernel that addresses the other GPU's memory"),
          {"on", "whose engine or multiprocessors copy", Domain::words, {"source"}, {"source", "target"}},
          ways_axis(),
          blocks_axis()};
}

DeclaredPeerCopy::Settings DeclaredPeerCopy::settings(const core::Point& point) {
  const PeerWay way = peer_way(point);
  return {way, {way.runs_on()}};
}

core::Work DeclaredPeerCopy::work(const Settings& settings) {
  return copy_work(settings.way.bytes, settings.way.ways());
}

std::vector<core::Axis> DeclaredNodeCopy::axes() {
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

DeclaredNodeCopy::Settings DeclaredNodeCopy::settings(const core::Point& point, const Surroundings& around) {
  return {copy_way(point), within(point, "gpus", 1, 1 << 10), &around.machine};
}

core::Work DeclaredNodeCopy::work(const Settings& settings) {
  return {.bytes = static_cast<double>(settings.gpus * settings.bytes_of_gpu()),
          .bytes_counted = "copied by all GPUs together"};
}

std::vector<core::Case> copy_declarations_cases(const Surroundings& around) {
  using core::declared_case;
  return {declared_case<DeclaredHostCopy>(around), declared_case<DeclaredPeerCopy>(around),
          declared_case<DeclaredNodeCopy>(around)};
}

}  // namespace assay::offload
