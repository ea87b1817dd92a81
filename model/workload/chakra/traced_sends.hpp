// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The exchanges that sends and receives of the first rank stand for, where each rank has its own messages.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// Sends as operations of a step. With a single trace, each is a shift among all ranks. With several,
/// messages of equal distance (receiver less sender) and equal place among those of their sender go at once,
/// as one all-to-all-v, done where the first rank sends such a message, or receives one if it sends none.
class TracedSends {
 public:
  /// Throws a usage Error for more than most_matrix_ranks traces with sends, and for more different exchanges
  /// than memory holds.
  TracedSends(std::span<const Trace> traces, std::uint32_t ranks);

  /// The operation of the first trace's node; nothing for compute, and where another node stands for it.
  std::optional<training::StepOperation> of(std::size_t node) const;

  /// Messages without the other side's rank, or without a node of the first rank that stands for them; both
  /// sides of one count once where they name each other.
  std::size_t left_out() const { return left_out_; }

 private:
  using Key = std::pair<std::int64_t, std::size_t>;                         // distance, place
  using Message = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // sender, receiver, bytes

  bool names_another(const TraceNode& node, std::uint32_t rank) const;
  void shift(const Trace& trace);
  void read(std::span<const Trace> traces);
  void refuse_too_many() const;
  void place(const Trace& first);
  training::StepOperation exchange(const std::vector<Message>& messages);

  std::string file_;  // of the first trace
  std::uint32_t ranks_;
  std::size_t left_out_ = 0;
  std::map<Key, std::vector<Message>> messages_;
  std::map<std::vector<Message>, std::shared_ptr<const training::BytesMatrix>> matrices_;  // each once
  std::map<std::size_t, training::StepOperation> operations_;                              // by node
};

}  // namespace assay::model::workload
