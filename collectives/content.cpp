// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>

#include "harness/integrity/digest.hpp"

namespace assay::collectives {
namespace {

template <class T>
auto bits_of(const T& value) {
  return std::bit_cast<std::array<std::byte, sizeof value>>(value);
}

std::uint64_t scrambled(int rank, std::int64_t index, std::uint64_t seed) {
  std::uint64_t x = static_cast<std::uint64_t>(index) * integrity::golden_step +
                    static_cast<std::uint64_t>(rank) * 0xbf58476d1ce4e5b9U + seed * 0x94d049bb133111ebU;
  x ^= x >> 29;
  x *= 0xff51afd7ed558ccdU;
  return x >> 32;
}

/// Element `index` of a rank's input, as a whole number that every type holds exactly.
std::int64_t element(const Problem& problem, const Content& content, int rank, std::int64_t index) {
  const std::uint64_t random = scrambled(rank, index, content.seed);
  if (!reduces(problem.operation)) return static_cast<std::int64_t>(random % 65521);
  switch (content.reduction) {
    case Operator::sum:
      return static_cast<std::int64_t>(random % 8);
    case Operator::prod:  // one rank in 16 doubles: at most 2^25 for 400 ranks
      return (static_cast<std::uint64_t>(rank) + static_cast<std::uint64_t>(index) + content.seed) % 16 == 0
                 ? 2
                 : 1;
    case Operator::min:
    case Operator::max:
      return static_cast<std::int64_t>(random % 1021) - 510;
  }
  return 0;
}

std::int64_t reduced(const Problem& problem, const Content& content, std::int64_t index) {
  std::int64_t all = element(problem, content, 0, index);
  for (int rank = 1; rank < problem.ranks; ++rank) {
    const std::int64_t one = element(problem, content, rank, index);
    switch (content.reduction) {
      case Operator::sum:
        all += one;
        break;
      case Operator::prod:
        all *= one;
        break;
      case Operator::min:
        all = std::min(all, one);
        break;
      case Operator::max:
        all = std::max(all, one);
        break;
    }
  }
  return all;
}

/// Where a stretch of the output came from: expected(i) for its i-th element.
using Stretch =
    std::function<void(std::int64_t count, const std::function<std::int64_t(std::int64_t)>& expected)>;

void expect_blocks(const Problem& problem, const Content& content, const Stretch& next) {
  for (int from = 0; from < problem.ranks; ++from)
    next(problem.blocks().size(from), [&](std::int64_t i) { return element(problem, content, from, i); });
}

void expect_all_to_all(const Problem& problem, const Content& content, int rank, const Stretch& next) {
  for (int from = 0; from < problem.ranks; ++from) {
    std::int64_t first = 0;
    for (int to = 0; to < rank; ++to) first += problem.between(from, to);
    next(problem.between(from, rank),
         [&](std::int64_t i) { return element(problem, content, from, first + i); });
  }
}

/// Calls `next` for each stretch of the rank's output, in order.
void expect(const Problem& problem, const Content& content, int rank, const Stretch& next) {
  const std::int64_t all = shape_of(problem, rank).output;
  const std::int64_t own_first = problem.blocks().first(rank);
  switch (problem.operation) {
    case Operation::all_reduce:
    case Operation::reduce:
      return next(all, [&](std::int64_t i) { return reduced(problem, content, i); });
    case Operation::reduce_scatter:
      return next(all, [&](std::int64_t i) { return reduced(problem, content, own_first + i); });
    case Operation::broadcast:
      return next(all, [&](std::int64_t i) { return element(problem, content, problem.root, i); });
    case Operation::scatter:
      return next(all,
                  [&](std::int64_t i) { return element(problem, content, problem.root, own_first + i); });
    case Operation::gather:
      if (rank == problem.root) expect_blocks(problem, content, next);
      return;
    case Operation::all_gather:
      return expect_blocks(problem, content, next);
    case Operation::all_to_all:
    case Operation::all_to_all_v:
      return expect_all_to_all(problem, content, rank, next);
    case Operation::send_receive: {
      const int previous = (rank + problem.ranks - 1) % problem.ranks;
      return next(all, [&](std::int64_t i) { return element(problem, content, previous, i); });
    }
    case Operation::barrier:
      return;
  }
}

}  // namespace

void fill_input(const Problem& problem, const Content& content, int rank, std::span<std::byte> input) {
  with_type(content.type, [&](auto zero) {
    using T = decltype(zero);
    auto* elements = reinterpret_cast<T*>(input.data());
    const auto count = static_cast<std::int64_t>(input.size() / sizeof(T));
    for (std::int64_t i = 0; i < count; ++i) elements[i] = static_cast<T>(element(problem, content, rank, i));
  });
}

std::optional<std::string> first_wrong(const Problem& problem, const Content& content, int rank,
                                       std::span<const std::byte> output) {
  std::optional<std::string> wrong;
  with_type(content.type, [&](auto zero) {
    using T = decltype(zero);
    const auto* elements = reinterpret_cast<const T*>(output.data());
    std::int64_t done = 0;
    expect(problem, content, rank, [&](std::int64_t count, const auto& expected) {
      for (std::int64_t i = 0; i < count && !wrong; ++i) {
        const T right = static_cast<T>(expected(i));
        if (bits_of(elements[done + i]) != bits_of(right))
          wrong = fmt::format("element {} of {}: expected {}, is {}", done + i, output.size() / sizeof(T),
                              right, elements[done + i]);
      }
      done += count;
    });
  });
  return wrong;
}

}  // namespace assay::collectives
