// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_way.hpp"

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

Launch launch_from(const std::string& word) {
  if (word == "blocking") return Launch::blocking;
  if (word == "group") return Launch::group;
  if (word == "graph") return Launch::graph;
  core::usage_error("launch=" + word + ": expected blocking, group or graph");
}

bool says(const core::Point& point, const std::string& axis, const std::string& no, const std::string& yes) {
  if (!point.has(axis)) return false;
  const std::string& word = point.text(axis);
  if (word == yes || word == no) return word == yes;
  core::usage_error(axis + "=" + word + ": expected " + no + " or " + yes);
}

CtaPolicy cta_policy_from(const std::string& word) {
  if (word == left_to_nccl) return CtaPolicy::left_to_nccl;
  if (word == "efficiency") return CtaPolicy::efficiency;
  if (word == "zero") return CtaPolicy::zero;
  core::usage_error("cta_policy=" + word + ": expected default, efficiency or zero");
}

int channels_from(std::int64_t channels) {
  constexpr std::int64_t most = 64;  // MAXCHANNELS of 2.28
  if (channels < 0 || channels > most)
    core::usage_error("channels=" + std::to_string(channels) + ": expected 0 to " + std::to_string(most));
  return static_cast<int>(channels);
}

}  // namespace

NcclWay nccl_way_of(const core::Point& point) {
  NcclWay way;
  if (point.has("launch")) way.launch = launch_from(point.text("launch"));
  if (point.has("protocol"))  // else the algorithm is one of assay's
    way.choice = {.algorithm = point.text("algorithm"), .protocol = point.text("protocol")};
  if (point.has("cta_policy")) way.cta_policy = cta_policy_from(point.text("cta_policy"));
  if (point.has("channels")) way.channels = channels_from(point.integer("channels"));
  way.symmetric_window = says(point, "window", "none", "symmetric");
  way.keeps_communicators = says(point, "communicator", "point", "sweep");
  if (!point.has("registered")) return way;
  const std::int64_t registered = point.integer("registered");
  if (registered != 0 && registered != 1)
    core::usage_error("registered=" + std::to_string(registered) + ": expected 0 or 1");
  way.registered = registered == 1;
  return way;
}

std::string time_counts(Launch launch) {
  switch (launch) {
    case Launch::blocking:
      return "per iteration the slowest rank; the host waits for each, then enqueues the next";
    case Launch::group:
      return "the mean over a sample's iterations, of the slowest rank: enqueued in one NCCL group, one wait";
    case Launch::graph:
      break;
  }
  return "the mean over a sample's iterations, of the slowest rank: a graph of one, replayed, one wait";
}

}  // namespace assay::collectives
