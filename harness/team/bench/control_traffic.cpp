// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prints what control messages cost a sample at growing numbers of ranks (threads of this process), and what
// that makes at 24,576. A developer's tool: it is not installed.
#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/team/bench/control_plane.hpp"

namespace {

using namespace assay;

constexpr int largest = 24'576;
constexpr const char* usage = "usage: control_traffic [--star] [--barriers N] [--iterations N] [RANKS...]";

int number_in(const std::string& text, int least) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < least)
    core::usage_error(fmt::format("'{}': expected a number from {} on ({})", text, least, usage));
  return number;
}

struct Asked {
  team::ControlPlane plane;
  std::vector<int> sizes;
};

Asked asked_by(const std::vector<std::string>& arguments) {
  Asked asked;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = arguments[i] == "--barriers" || arguments[i] == "--iterations";
    if (has_value && i + 1 == arguments.size())
      core::usage_error(fmt::format("{} without a number ({})", arguments[i], usage));
    if (arguments[i] == "--star")
      asked.plane.shape.star_up_to = std::numeric_limits<int>::max();
    else if (has_value)
      (arguments[i] == "--barriers" ? asked.plane.barriers : asked.plane.iterations) =
          number_in(arguments[i + 1], 0);
    else
      asked.sizes.push_back(number_in(arguments[i], 2));
    if (has_value) ++i;
  }
  if (asked.sizes.empty()) asked.sizes = {256, 1024, 4096};
  return asked;
}

void print(const Asked& asked) {
  fmt::print("{:>6} {:>6} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "ranks", "height", "rank 0 B", "most B",
             "mean B", "rank 0 links", "sample ms");
  double a_link = 0;
  for (const int ranks : asked.sizes) {
    team::ControlPlane plane = asked.plane;
    plane.ranks = ranks;
    const team::ControlTraffic traffic = team::control_traffic(plane);
    a_link = traffic.leader_bytes / static_cast<double>(traffic.leader_descriptors);
    fmt::print("{:>6} {:>6} {:>12.0f} {:>12.0f} {:>12.0f} {:>12} {:>12.3f}\n", ranks,
               team::height_of_tree(ranks, plane.shape), traffic.leader_bytes, traffic.most_bytes,
               traffic.mean_bytes, traffic.leader_descriptors, traffic.sample_s * 1e3);
    std::fflush(stdout);
  }
  const std::size_t links = team::place_in_tree(0, largest, asked.plane.shape).children.size();
  fmt::print("bytes at rank 0 = links x {:.0f} B; at {} ranks: {} x {:.0f} B = {:.0f} B, {} messages deep\n",
             a_link, largest, links, a_link, static_cast<double>(links) * a_link,
             team::height_of_tree(largest, asked.plane.shape));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    print(asked_by({arguments + 1, arguments + count}));
    return core::exit_code::pass;
  } catch (const core::Error& error) {
    std::cerr << "control_traffic: " << error.what() << "\n";
    return error.kind() == core::ErrorKind::usage ? core::exit_code::usage : core::exit_code::inconclusive;
  }
}
