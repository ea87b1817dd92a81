// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An algorithm as data: what one rank sends, receives and copies, step by step. Made without any transport,
// run over any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "collectives/problem.hpp"
#include "harness/schedule/blocks.hpp"

namespace assay::collectives {

enum class Buffer { input, output, scratch };

/// `count` elements of a buffer, from `first` on.
struct Range {
  Buffer buffer = Buffer::scratch;
  std::int64_t first = 0, count = 0;
};

struct Send {
  int to = 0;
  Range from;
};

struct Receive {
  int from = 0;
  Range into;
  bool reduce = false;  // into what is there, once all transfers of the step are done
};

/// Within the rank. `from` and `into` have the same count; they may be the same place (nothing moves then),
/// but do not overlap otherwise.
struct Local {
  Range from, into;
  bool reduce = false;
};

/// All transfers of a step are under way together; then its local work is done, in order. Between two ranks
/// messages keep their order. What a step sends is not received into in the same step, unless reduced.
struct Step {
  std::vector<Send> sends = {};
  std::vector<Receive> receives = {};
  std::vector<Local> then = {};
  std::size_t phase = 0;  // of the schedule's
};

struct Schedule {
  std::int64_t scratch = 0;  // elements
  std::vector<Step> steps = {};
  /// Phases of a hierarchical algorithm, the same at every rank, whichever it takes part in: "inside" a node
  /// or "across". Empty: one phase.
  std::vector<std::string_view> phases = {};
};

/// The messages and elements that one rank sends, all steps together. An empty block is still a message.
struct Sent {
  std::int64_t messages = 0, elements = 0;

  Sent& operator+=(const Sent& more) {
    messages += more.messages;
    elements += more.elements;
    return *this;
  }
  bool operator==(const Sent&) const = default;
};

inline Range input(std::int64_t first, std::int64_t count) { return {Buffer::input, first, count}; }
inline Range output(std::int64_t first, std::int64_t count) { return {Buffer::output, first, count}; }
inline Range scratch(std::int64_t first, std::int64_t count) { return {Buffer::scratch, first, count}; }

inline Step copy(Range from, Range into) { return {.then = {{from, into}}}; }

using schedule::log2_ceiling;
using schedule::log2_floor;
using schedule::wrapped;

}  // namespace assay::collectives
