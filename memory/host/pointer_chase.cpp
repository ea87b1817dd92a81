// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/pointer_chase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::memory {
namespace {

constexpr std::uint64_t seed = 20240229;

/// A whole number in [0, below), by the high half of a product (Lemire 2019, without the rejection of a 2^-32
/// bias).
std::uint32_t scaled_below(std::uint64_t random, std::uint32_t below) {
  return static_cast<std::uint32_t>(((random >> 32) * below) >> 32);
}

std::uint32_t line_count(std::int64_t bytes) {
  const std::int64_t lines = bytes / static_cast<std::int64_t>(sizeof(PointerChase::Line));
  if (lines < 1 || lines > std::numeric_limits<std::uint32_t>::max())
    core::usage_error(fmt::format("bytes={}: expected from one cache line ({} bytes) to 2^32-1 lines", bytes,
                                  sizeof(PointerChase::Line)));
  return static_cast<std::uint32_t>(lines);
}

PointerChase::Line* follow(PointerChase::Line* at, std::int64_t steps) {
  for (; steps >= 8; steps -= 8) at = at->next->next->next->next->next->next->next->next;
  for (; steps > 0; --steps) at = at->next;
  return at;
}

}  // namespace

std::vector<std::uint32_t> random_cycle(std::uint32_t count, std::uint64_t seed_of_cycle) {
  std::vector<std::uint32_t> next(count);
  std::iota(next.begin(), next.end(), 0u);
  for (std::uint32_t i = count; i-- > 1;)
    std::swap(next[i], next[scaled_below(integrity::random_number(seed_of_cycle, count - 1 - i), i)]);
  return next;
}

/// 4 KiB, then 4 times as much each, until 4 times the last-level caches are passed.
std::vector<core::Axis> PointerChase::axes(const machine::Machine& machine) {
  const std::int64_t top = footprint_beyond_caches(machine, 4);
  core::Axis bytes{.name = "bytes",
                   .meaning =
                       "footprint of the cycle; memory: at least 4 times the last-level caches, a "
                       "sixteenth of memory at most",
                   .domain = core::Domain::sizes,
                   .values = {4 * core::kib}};
  std::int64_t last = 4 * core::kib;
  while (last < top) bytes.values.emplace_back(last *= 4);
  bytes.aliases = {{"memory", last}};
  return {bytes, numa_axis(machine), cpu_node_axis(), pages_axis({"base", "transparent"})};
}

core::Work PointerChase::work(const Settings& settings) {
  return {.bytes = sizeof(Line),
          .flops = 0,
          .bytes_counted = fmt::format("one cache line of {} bytes a load, over {} lines", sizeof(Line),
                                       line_count(settings.bytes))};
}

PointerChase::PointerChase(const Settings& settings, host::HostSite& site)
    : site_(site),
      count_(line_count(settings.bytes)),
      arena_(std::size_t{count_} * sizeof(Line), site.numa_node, settings.pages),
      at_(lines().data()) {
  site_.threads.run([this](int rank) {
    if (rank == 0) link();
  });
}

void PointerChase::link() {
  const std::vector<std::uint32_t> next = random_cycle(count_, seed);
  Line* const first = lines().data();
  for (std::uint32_t i = 0; i < count_; ++i) first[i].next = first + next[i];
}

double PointerChase::enqueue(std::int64_t iterations) {
  followed_ += iterations;
  return site_.threads.run([this, iterations](int rank) {
    if (rank == 0) at_ = follow(at_, iterations);
  });
}

// Links are compared before any is followed: a flipped one may point anywhere.
core::Verification PointerChase::check() {
  using Result = core::Verification::Result;
  if (followed_ == 0) return {Result::not_checked, "nothing ran", {}};
  const std::vector<std::uint32_t> next = random_cycle(count_, seed);
  Line* const first = lines().data();
  std::uint32_t wrong = 0, first_wrong = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (first[i].next != first + next[i] && wrong++ == 0) first_wrong = i;
  if (wrong > 0)
    return {Result::wrong,
            fmt::format("{} of {} links wrong, first that of line {}", wrong, count_, first_wrong),
            {}};

  std::uint32_t at = 0;
  for (std::int64_t step = followed_ % count_; step > 0; --step) at = next[at];
  if (at_ != first + at)
    return {Result::wrong, fmt::format("{} loads did not end at line {}", followed_, at), {}};
  return {
      Result::right, fmt::format("{} loads ended where the cycle of {} lines says", followed_, count_), {}};
}

std::vector<core::Fact> PointerChase::facts() const {
  return {{"footprint_bytes", static_cast<std::int64_t>(std::size_t{count_} * sizeof(Line))},
          {"huge_page_bytes", arena_.huge_page_bytes()}};
}

std::vector<core::Case> pointer_chase_cases(const machine::Machine& machine) {
  return {core::case_of<PointerChase>(machine)};
}

}  // namespace assay::memory
