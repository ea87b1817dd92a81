// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's buffers of a point: filled, spoilt before sampling so that stale results show, and checked.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "collectives/content.hpp"
#include "harness/core/handle.hpp"

namespace assay::collectives {

class Operands {
 public:
  /// Page-aligned and touched. Throws core::Error (system) where there is no memory.
  Operands(Problem problem, const Content& content, int rank);

  std::span<const std::byte> input() const { return input_; }
  std::span<std::byte> output() const { return output_; }

  /// The input anew, and the output overwritten with what is no result.
  void refill();
  std::optional<std::string> first_wrong() const;

  /// Whether another iteration finds the same input: reductions and exchanges in place overwrite theirs.
  bool keep_their_input() const;

 private:
  using Memory = core::Handle<std::byte*, std::free>;
  static Memory allocate(std::size_t bytes);

  Problem problem_;
  Content content_;
  int rank_;
  Memory first_, second_;
  std::span<std::byte> input_, output_;
};

}  // namespace assay::collectives
