// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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

/// The range of a type: all whole numbers up to `exact`, rounded ones up to `largest`, powers of two up to
/// 2^exponent.
struct Holds {
  std::int64_t exact, largest, exponent;
};
constexpr std::int64_t large = std::int64_t{1} << 53;
constexpr std::array<Holds, 9> holds{{{std::int64_t{1} << 24, large, 62},
                                      {large, large, 62},
                                      {256, large, 62},
                                      {2048, 65504, 15},
                                      {16, 448, 8},
                                      {8, 57344, 15},
                                      {127, 127, 6},
                                      {std::int64_t{1} << 30, std::int64_t{1} << 30, 30},
                                      {large, large, 62}}};  // by DataType

std::int64_t upper_quotient(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// At most `most` ranks bring a number other than the neutral one to an element.
bool brings(int ranks, std::int64_t most, int rank, std::int64_t index, std::uint64_t seed) {
  const auto period = static_cast<std::uint64_t>(upper_quotient(ranks, most));
  return (static_cast<std::uint64_t>(rank) + static_cast<std::uint64_t>(index) + seed) % period == 0;
}

/// The sum of all ranks' terms is exact: at most as many as `exact` bring one, each its share of it.
std::int64_t term(int ranks, std::int64_t exact, std::uint64_t random) {
  const std::int64_t most = std::clamp<std::int64_t>(exact / ranks, 1, 7);
  return static_cast<std::int64_t>(random % static_cast<std::uint64_t>(most + 1));
}

/// Two ranks bring a term. Floats: multiples of a power of two of the ranks' order, as far as the type
/// reaches, so that no term times 1/n is below the type's normal numbers.
std::int64_t mean_term(int ranks, DataType data_type, std::uint64_t random) {
  const Holds& type = holds[static_cast<std::size_t>(data_type)];
  const bool whole =
      data_type == DataType::int8 || data_type == DataType::int32 || data_type == DataType::int64;
  const std::int64_t most = whole ? std::min<std::int64_t>(type.exact / 2, 100 * std::int64_t{ranks})
                                  : std::min<std::int64_t>(7, type.exact / 2);
  const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(ranks));
  const auto reached = std::bit_floor(static_cast<std::uint64_t>(type.largest / (2 * most)));
  const auto scale = whole ? 1 : static_cast<std::int64_t>(std::min(wanted, reached));
  return scale * (1 + static_cast<std::int64_t>(random % static_cast<std::uint64_t>(most)));
}

/// Element `index` of a rank's input, as a whole number; the type holds exactly what is reduced.
std::int64_t element(const Problem& problem, const Content& content, int rank, std::int64_t index) {
  const std::uint64_t random = scrambled(rank, index, content.seed);
  const Holds& type = holds[static_cast<std::size_t>(content.type)];
  const int ranks = problem.ranks;
  if (!reduces(problem.operation))
    return static_cast<std::int64_t>(
        random % static_cast<std::uint64_t>(std::min<std::int64_t>(type.largest + 1, 65521)));
  const std::int64_t span = std::min<std::int64_t>(type.exact, 510);  // of the least and the greatest
  switch (content.reduction) {
    case Operator::sum:
      return brings(ranks, type.exact, rank, index, content.seed) ? term(ranks, type.exact, random) : 0;
    case Operator::prod:  // one rank in 16 or more doubles
      return brings(ranks, std::min<std::int64_t>(type.exponent, upper_quotient(ranks, 16)), rank, index,
                    content.seed)
                 ? 2
                 : 1;
    case Operator::avg:
      return brings(ranks, 2, rank, index, content.seed) ? mean_term(ranks, content.type, random) : 0;
    case Operator::min:
    case Operator::max:
      return static_cast<std::int64_t>(random % static_cast<std::uint64_t>(2 * span + 1)) - span;
  }
  return 0;
}

std::int64_t reduced(const Problem& problem, const Content& content, std::int64_t index) {
  std::int64_t all = element(problem, content, 0, index);
  for (int rank = 1; rank < problem.ranks; ++rank) {
    const std::int64_t one = element(problem, content, rank, index);
    switch (content.reduction) {
      case Operator::sum:
      case Operator::avg:
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

/// Takes the next `count` elements of the expected output: expected(i) is the i-th of them.
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

/// The error bound of a mean of floats whose terms were scaled before they were added: the errors of the
/// factor, of each product, and of the sum of two terms that are not 0.
template <class T>
double mean_bound(double mean, DataType type, int ranks) {
  constexpr int roundings = 3;
  const auto relative = 1 / static_cast<double>(holds[static_cast<std::size_t>(type)].exact);
  double smallest = 0;
  if constexpr (!is_number<T>) {
    T step;
    step.bits = 1;
    smallest = static_cast<float>(step);
  }
  return mean * (reciprocal_error(type, ranks) + roundings * relative) + roundings * smallest / 2;
}

template <class T>
bool is_right(T is, T right, const Problem& problem, const Content& content, std::int64_t sum) {
  if (bits_of(is) == bits_of(right)) return true;
  if (std::is_integral_v<T> || !content.scales_inputs || !averages(problem, content)) return false;
  const double mean = static_cast<double>(sum) / problem.ranks;
  return std::abs(static_cast<double>(printed(is)) - mean) <=
         mean_bound<T>(mean, content.type, problem.ranks);
}

}  // namespace

bool averages(const Problem& problem, const Content& content) {
  return content.reduction == Operator::avg && reduces(problem.operation);
}

void end_reduction(const Problem& problem, const Content& content, std::span<std::byte> output) {
  if (averages(problem, content))
    average(content.type, problem.ranks, output.data(), std::ssize(output) / bytes_of(content.type));
}

double reciprocal_error(DataType type, int n) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    using Wide = decltype(printed(zero));
    if constexpr (std::is_integral_v<T>) {
      return 0.0;
    } else {
      const T factor(Wide{1} / static_cast<Wide>(n));
      return std::abs(static_cast<double>(printed(factor)) * n - 1);
    }
  });
}

void fill_input(const Problem& problem, const Content& content, int rank, std::span<std::byte> input) {
  with_type(content.type, [&](auto zero) {
    using T = decltype(zero);
    auto* elements = reinterpret_cast<T*>(input.data());
    const auto count = static_cast<std::int64_t>(input.size() / sizeof(T));
    for (std::int64_t i = 0; i < count; ++i) elements[i] = element_of<T>(element(problem, content, rank, i));
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
        const std::int64_t whole = expected(i);
        T right = element_of<T>(whole);
        if (averages(problem, content)) right = mean_of(right, problem.ranks);
        if (!is_right(elements[done + i], right, problem, content, whole))
          wrong = fmt::format("element {} of {}: expected {}, is {}", done + i, output.size() / sizeof(T),
                              printed(right), printed(elements[done + i]));
      }
      done += count;
    });
  });
  return wrong;
}

}  // namespace assay::collectives
