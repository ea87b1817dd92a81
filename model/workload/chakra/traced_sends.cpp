// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_sends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/core/error.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

constexpr std::size_t most_entries = std::size_t{1} << 27U;  // of all matrices, 8 bytes each

/// Messages of one side so far, by their distance.
using Places = std::map<std::int64_t, std::size_t>;

std::int64_t distance_of(const TraceNode& node, std::int64_t rank) {
  return node.side == Side::sends ? node.peer - rank : rank - node.peer;
}

}  // namespace

TracedSends::TracedSends(std::span<const Trace> traces, std::uint32_t ranks)
    : file_(traces.front().file), ranks_(ranks) {
  if (traces.size() == 1) {
    shift(traces.front());
    return;
  }
  read(traces);
  refuse_too_many();
  place(traces.front());
}

std::optional<StepOperation> TracedSends::of(std::size_t node) const {
  const auto found = operations_.find(node);
  if (found == operations_.end()) return std::nullopt;
  return found->second;
}

void TracedSends::shift(const Trace& trace) {
  std::size_t received = 0;
  for (std::size_t at = 0; at < trace.nodes.size(); ++at) {
    const TraceNode& node = trace.nodes[at];
    if (node.side == Side::receives) ++received;
    if (node.side != Side::sends) continue;
    operations_[at] = {.name = "send",
                       .traffic = Traffic::shift,
                       .groups = training::groups_text(ranks_),
                       .bytes = node.bytes};
  }
  left_out_ = received - std::min(received, operations_.size());
}

bool TracedSends::names_another(const TraceNode& node, std::uint32_t rank) const {
  return node.peer >= 0 && node.peer < std::int64_t{ranks_} && node.peer != std::int64_t{rank};
}

void TracedSends::read(std::span<const Trace> traces) {
  std::size_t sent = 0, received = 0;
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    Places places;
    for (const TraceNode& node : traces[rank].nodes) {
      if (node.side == Side::none) continue;
      if (!names_another(node, rank)) {
        ++left_out_;
      } else if (node.side == Side::receives) {
        ++received;
      } else {
        ++sent;
        const std::int64_t distance = distance_of(node, rank);
        messages_[{distance, places[distance]++}].emplace_back(rank, static_cast<std::uint32_t>(node.peer),
                                                               static_cast<std::uint64_t>(node.bytes));
      }
    }
  }
  left_out_ += received - std::min(received, sent);
  if (!messages_.empty() && ranks_ > training::most_matrix_ranks)
    core::usage_error(fmt::format("{}: expected at most {} traces that send to one another", file_,
                                  training::most_matrix_ranks));
}

void TracedSends::refuse_too_many() const {
  std::set<std::vector<Message>> different;
  for (const auto& [key, messages] : messages_) different.insert(messages);
  const std::size_t most = most_entries / ranks_ / ranks_;
  if (different.size() > most)
    core::usage_error(fmt::format("{}: sends of {} ranks are {} different exchanges: expected at most {}",
                                  file_, ranks_, different.size(), most));
}

void TracedSends::place(const Trace& first) {
  for (const Side side : {Side::sends, Side::receives}) {
    Places places;
    for (std::size_t at = 0; at < first.nodes.size(); ++at) {
      const TraceNode& node = first.nodes[at];
      if (node.side != side || !names_another(node, 0)) continue;
      const std::int64_t distance = distance_of(node, 0);
      const auto found = messages_.find({distance, places[distance]++});
      if (found == messages_.end()) continue;
      operations_[at] = exchange(found->second);
      messages_.erase(found);
    }
  }
  for (const auto& [key, messages] : messages_) left_out_ += messages.size();
}

StepOperation TracedSends::exchange(const std::vector<Message>& messages) {
  std::shared_ptr<const training::BytesMatrix>& matrix = matrices_[messages];
  if (!matrix) {
    training::BytesMatrix bytes(ranks_, std::vector<std::uint64_t>(ranks_));
    for (const auto& [from, to, size] : messages) bytes[from][to] = size;
    matrix = std::make_shared<const training::BytesMatrix>(std::move(bytes));
  }
  return {.name = "send",
          .traffic = Traffic::all_to_all_v,
          .among = "messages",
          .groups = training::groups_text(ranks_),
          .bytes = static_cast<double>(training::most_sent(*matrix)),
          .matrix = matrix};
}

}  // namespace assay::model::workload
