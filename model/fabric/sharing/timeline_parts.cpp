// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/timeline_parts.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <utility>

#include "harness/core/process/side_by_side.hpp"

namespace assay::model::fabric {

namespace {

/// Sets of flows, each known by its least.
class Joined {
 public:
  explicit Joined(std::size_t flows) : before_(flows) {
    std::iota(before_.begin(), before_.end(), FlowId{0});
  }

  FlowId least(FlowId flow) {
    while (before_[flow] != flow) flow = before_[flow] = before_[before_[flow]];
    return flow;
  }
  void join(FlowId one, FlowId other) {
    one = least(one), other = least(other);
    before_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<FlowId> before_;
};

constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

/// `precedences`: by the numbers of the part.
Timeline run_part(const TimelinePart& part, std::span<const Message> messages,
                  std::span<const Precedence> precedences, const SharingRule& rule, double batch) {
  std::vector<Message> own;
  for (const FlowId flow : part.flows) own.push_back(messages[flow]);
  return timeline_of(own, precedences, part.paths, part.links.size(), rule, batch);
}

/// The precedences within each part, by the new numbers.
std::vector<std::vector<Precedence>> precedences_of(const std::vector<TimelinePart>& parts,
                                                    std::span<const Precedence> precedences,
                                                    std::size_t flows) {
  std::vector<std::vector<Precedence>> own(parts.size());
  if (precedences.empty()) return own;
  std::vector<std::pair<std::uint32_t, FlowId>> place_of(flows);  // part, and number in it
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (std::size_t at = 0; at < parts[part].flows.size(); ++at)
      place_of[parts[part].flows[at]] = {static_cast<std::uint32_t>(part), static_cast<FlowId>(at)};
  for (Precedence one : precedences) {
    const auto [part, before] = place_of[one.before];
    one.before = before;
    one.after = place_of[one.after].second;
    own[part].push_back(one);
  }
  return own;
}

}  // namespace

std::vector<TimelinePart> parts_of(std::span<const Precedence> precedences, const Paths& paths,
                                   std::size_t links) {
  Joined joined(paths.size());
  std::vector<FlowId> of_link(links, no_number);  // one of its flows
  for (FlowId flow = 0; flow < paths.size(); ++flow)
    for (const LinkId link : paths[flow]) {
      if (of_link[link] == no_number) of_link[link] = flow;
      joined.join(of_link[link], flow);
    }
  for (const Precedence& one : precedences) joined.join(one.before, one.after);
  std::vector<TimelinePart> parts;
  std::vector<std::uint32_t> part_of(paths.size()), number_of(links, no_number);
  std::vector<LinkId> path;
  for (FlowId flow = 0; flow < paths.size(); ++flow) {
    const FlowId least = joined.least(flow);
    if (least == flow) {
      part_of[flow] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    TimelinePart& part = parts[part_of[least]];
    part.flows.push_back(flow);
    path.clear();
    for (const LinkId link : paths[flow]) {
      if (number_of[link] == no_number) {
        number_of[link] = static_cast<std::uint32_t>(part.links.size());
        part.links.push_back(link);
      }
      path.push_back(number_of[link]);
    }
    part.paths.append(path);
  }
  return parts;
}

Timeline timeline_in_parts(std::span<const Message> messages, std::span<const Precedence> precedences,
                           const Paths& paths, std::size_t links, const RuleOfPart& rule, unsigned threads,
                           std::optional<double> batch) {
  const std::vector<TimelinePart> parts = parts_of(precedences, paths, links);
  const auto own_precedences = precedences_of(parts, precedences, messages.size());
  Timeline timeline{.start_us = std::vector<double>(messages.size()),
                    .end_us = std::vector<double>(messages.size())};
  const auto threads_of = [&](const TimelinePart& part) {  // no other part is as long as one of most flows
    return 2 * part.flows.size() > messages.size() ? threads : 1;
  };
  std::atomic<std::size_t> solves = 0;
  const auto run_one = [&](std::size_t at) {
    const TimelinePart& part = parts[at];
    const double own_batch = part.flows.size() > many_flows ? batch_of_many : default_batch;
    const Timeline own = run_part(part, messages, own_precedences[at], rule(part, threads_of(part)),
                                  batch.value_or(own_batch));
    for (std::size_t flow = 0; flow < part.flows.size(); ++flow) {
      timeline.start_us[part.flows[flow]] = own.start_us[flow];
      timeline.end_us[part.flows[flow]] = own.end_us[flow];
    }
    solves += own.solves;
  };
  core::side_by_side(parts.size(), run_one, {.most = std::max(1U, threads)});
  timeline.solves = solves;
  return timeline;
}

}  // namespace assay::model::fabric
