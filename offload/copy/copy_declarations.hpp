// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cases of copies as a plan and a list see them, in builds with and without CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cuda/device_place.hpp"
#include "offload/cases.hpp"
#include "offload/copy/copy_way.hpp"

namespace assay::offload {

struct DeclaredHostCopy {
  struct Settings {
    CopyWay way;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.copy";
  static constexpr std::string_view measures =
      "copies between host and GPU: which way, by what, from which memory of which node";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes(const Surroundings& around);
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings);
  static std::optional<std::string> impossible(const Settings& settings) { return cannot_copy(settings.way); }
};

struct DeclaredPeerCopy {
  struct Settings {
    PeerWay way;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.peer_copy";
  static constexpr std::string_view measures =
      "copies from one GPU of a node to another, by engine and by kernel";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings);
  static std::optional<std::string> impossible(const Settings& settings) { return not_a_peer(settings.way); }
};

struct DeclaredNodeCopy {
  struct Settings {
    CopyWay way;
    std::int64_t gpus = 1;
    const machine::Machine* machine = nullptr;
    core::OwnClock::Place place = {};

    std::int64_t bytes_of_gpu() const { return way.ways() * way.bytes; }
  };
  static constexpr std::string_view name = "offload.cuda.node_copy";
  static constexpr std::string_view measures =
      "copies between the host and several of its GPUs at once, and each of them alone";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point, const Surroundings& around);
  static core::Work work(const Settings& settings);
};

/// All three, for a build that cannot make them.
std::vector<core::Case> copy_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
