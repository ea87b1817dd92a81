// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/sort_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/core/statistics/ordered_bits.hpp"

namespace assay::results {
namespace {

constexpr std::size_t few = 1024;  // are sorted sooner by comparing
constexpr int digit_bits = 11, digits = 6;
constexpr std::size_t radix = std::size_t{1} << digit_bits;

std::size_t digit_of(std::uint64_t key, int digit) { return (key >> (digit * digit_bits)) & (radix - 1); }

/// Sorts by one digit; equal ones keep their order. `counts`: of its values; used up.
void sort_by_digit(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, int digit,
                   std::size_t* counts) {
  std::size_t before = 0;
  for (std::size_t value = 0; value < radix; ++value) {
    const std::size_t count = counts[value];
    counts[value] = before;
    before += count;
  }
  for (const std::uint64_t key : from) to[counts[digit_of(key, digit)]++] = key;
}

}  // namespace

void sort_numbers(std::vector<double>& values) {
  if (values.size() < few) return static_cast<void>(std::ranges::sort(values));
  std::vector<std::uint64_t> keys(values.size()), sorted(values.size());
  std::vector<std::size_t> counts(digits * radix, 0);
  for (std::size_t at = 0; at < values.size(); ++at) {
    keys[at] = core::ordered_bits(values[at]);
    for (int digit = 0; digit < digits; ++digit)
      ++counts[static_cast<std::size_t>(digit) * radix + digit_of(keys[at], digit)];
  }
  for (int digit = 0; digit < digits; ++digit) {
    std::size_t* const of_digit = counts.data() + static_cast<std::size_t>(digit) * radix;
    if (of_digit[digit_of(keys.front(), digit)] == keys.size()) continue;  // all have the same
    sort_by_digit(keys, sorted, digit, of_digit);
    keys.swap(sorted);
  }
  std::ranges::transform(keys, values.begin(), core::number_with);
}

}  // namespace assay::results
