// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_sends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/core/error.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::model::workload {
namespace {

using training::StepOperation;
using training::Traffic;

constexpr std::size_t most_entries = std::size_t{1} << 27U;  // of all matrices, 8 bytes each

std::string all_ranks(std::uint32_t ranks) {
  const std::array<training::GroupLevel, 1> all{{{1, ranks}}};
  return training::groups_text(ranks, all);
}

/// Numbers the messages of one side by their distance.
class Places {
 public:
  std::size_t next(std::int64_t distance) { return counts_[distance]++; }

 private:
  std::map<std::int64_t, std::size_t> counts_;
};

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
    operations_[at] = {
        .name = "send", .traffic = Traffic::shift, .groups = all_ranks(ranks_), .bytes = node.bytes};
  }
  left_out_ = received - std::min(received, operations_.size());
}

void TracedSends::read(std::span<const Trace> traces) {
  const auto is_rank = [&](std::int64_t peer) {
    return peer >= 0 && peer < static_cast<std::int64_t>(ranks_);
  };
  std::size_t sent = 0, received = 0;
  for (std::uint32_t rank = 0; rank < traces.size(); ++rank) {
    Places places;
    for (const TraceNode& node : traces[rank].nodes) {
      if (node.side == Side::none) continue;
      if (!is_rank(node.peer) || node.peer == rank) {
        ++left_out_;
      } else if (node.side == Side::receives) {
        ++received;
      } else {
        ++sent;
        const std::int64_t distance = distance_of(node, rank);
        messages_[{distance, places.next(distance)}].emplace_back(rank, static_cast<std::uint32_t>(node.peer),
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
      if (node.side != side || node.peer <= 0 || node.peer >= static_cast<std::int64_t>(ranks_)) continue;
      const std::int64_t distance = distance_of(node, 0);
      const auto found = messages_.find({distance, places.next(distance)});
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
          .groups = all_ranks(ranks_),
          .bytes = static_cast<double>(training::most_sent(*matrix)),
          .matrix = matrix};
}

}  // namespace assay::model::workload
