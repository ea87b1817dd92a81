// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One rank's run of one problem, for tests: fresh buffers, the result checked, nothing else touched.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "collectives/content.hpp"

namespace assay::collectives {

/// Memory with bytes around it that must stay as they are.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes) : bytes_(bytes), all_(bytes + 2 * margin, filler) {}
  std::span<std::byte> inside() { return {all_.data() + margin, bytes_}; }
  bool is_whole() const {
    return std::all_of(all_.begin(), all_.begin() + margin, is_filler) &&
           std::all_of(all_.end() - margin, all_.end(), is_filler);
  }

 private:
  static constexpr std::ptrdiff_t margin = 64;
  static constexpr std::byte filler{0xa5};
  static bool is_filler(std::byte byte) { return byte == filler; }
  std::size_t bytes_;
  std::vector<std::byte> all_;
};

/// Runs `run(input, output)` at this rank and returns what is wrong with its result; empty: nothing.
inline std::string wrong_with(const Problem& problem, const Content& content, int rank,
                              const std::function<void(std::span<std::byte>, std::span<std::byte>)>& run) {
  const Shape shape = shape_of(problem, rank);
  const auto size = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements * bytes_of(content.type));
  };
  GuardedMemory first(size(problem.in_place ? shape.together : shape.input));
  GuardedMemory second(problem.in_place ? 0 : size(shape.output));
  const auto in = first.inside().subspan(problem.in_place ? size(shape.input_at) : 0, size(shape.input));
  const auto out =
      problem.in_place ? first.inside().subspan(size(shape.output_at), size(shape.output)) : second.inside();
  fill_input(problem, content, rank, in);
  const std::vector<std::byte> given(in.begin(), in.end());
  run(in, out);
  if (const auto wrong = first_wrong(problem, content, rank, out)) return *wrong;
  if (!first.is_whole() || !second.is_whole()) return "wrote beyond its buffers";
  if (!problem.in_place && !std::equal(given.begin(), given.end(), in.begin())) return "changed its input";
  return {};
}

}  // namespace assay::collectives
