// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "harness/core/units.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::memory {
namespace {

constexpr std::size_t page = 4096;
// Slices whose addresses agree in their low 12 bits make a load wait for an older store to the other on some
// processors (4 KiB aliasing): 17 cache lines keep them apart.
constexpr std::size_t array_gap = 17 * 64;
constexpr double factor = 3;  // of scale and triad
constexpr std::int64_t rounds_before_repeating = 1 << 20;
// Limits of the trials of instruction sets, before the first sample; large arrays get fewer rounds.
constexpr double shortest_trial_s = 1e-3, enough_trials_s = 0.25;
constexpr int fewest_rounds = 3, most_rounds = 7;

/// Element i of input array 0 (a) or 1 (b): a whole number below 2^15 that depends on the position, so that
/// every sum and product here is exact, and the sum of 2^38 of them (2 TiB) still is.
double input(std::size_t array, std::size_t i) {
  const std::uint64_t mixed = (i + 1 + (array << 40)) * integrity::golden_step;
  return static_cast<double>(mixed >> 49);
}

std::string read_for_ownership(const Kernel& kernel) {
  const int counted = 8 * kernel.arrays();
  return fmt::format(
      "; a temporal store also fetches the line it overwrites, which is not counted: up to {} bytes an "
      "element ({:.2f} times) cross the bus",
      counted + 8 * kernel.writes,
      static_cast<double>(counted + 8 * kernel.writes) / static_cast<double>(counted));
}

/// STREAM's rule where memory allows it: every array at least 4 times the last-level caches together; three
/// arrays in the largest kernel.
core::Axis stream_bytes_axis(const machine::Machine& machine) {
  const auto beyond = static_cast<std::size_t>(footprint_beyond_caches(machine, 3 * 4));
  const auto large = static_cast<std::int64_t>(core::rounded_up(beyond, static_cast<std::size_t>(core::mib)));
  return {
      .name = "bytes",
      .meaning =
          "footprint: all arrays of all threads together; memory: every array 4 times the last-level caches, "
          "a sixteenth of memory at most",
      .domain = core::Domain::sizes,
      .values = {large},
      .aliases = {{"memory", large}}};
}

core::Axis store_axis() {
  return {.name = "store",
          .meaning = "temporal: through the caches, fetching each line first; nontemporal: past them",
          .domain = core::Domain::words,
          .values = {"temporal", "nontemporal"},
          .choices = {"temporal", "nontemporal"}};
}

core::Axis isa_axis() {
  return {
      .name = "isa",
      .meaning =
          "instruction set of the loops; best: the fastest of those that the processor has, by measurement",
      .domain = core::Domain::words,
      .values = {fastest_isa},
      .choices = {fastest_isa, "avx512", "avx2", "sse2"}};
}

}  // namespace

StreamLayout::StreamLayout(const Kernel& kernel, std::int64_t footprint_bytes, std::int64_t thread_count)
    : arrays(static_cast<std::size_t>(kernel.arrays())),
      threads(static_cast<std::size_t>(std::max<std::int64_t>(1, thread_count))) {
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, footprint_bytes));
  slice = bytes / (arrays * threads * sizeof(double)) / block * block;
  array_stride = core::rounded_up(slice * sizeof(double), page) + array_gap;
  region_stride = core::rounded_up(arrays * array_stride, page);
}

std::vector<core::Axis> Stream::axes(const Kernel& kernel, const machine::Machine& machine) {
  std::vector<core::Axis> axes = {stream_bytes_axis(machine), threads_axis(machine), numa_axis(machine),
                                  cpu_node_axis()};
  if (kernel.writes > 0) axes.push_back(store_axis());
  axes.push_back(isa_axis());
  axes.push_back(pages_axis({"transparent"}));
  axes.push_back({.name = "dtype",
                  .meaning = "element type",
                  .domain = core::Domain::words,
                  .values = {"fp64"},
                  .choices = {"fp64"}});
  return axes;
}

StreamSettings Stream::settings(const core::Point& point) {
  const bool past_caches = point.has("store") && point.text("store") == "nontemporal";
  return {host_settings(point), past_caches ? Store::nontemporal : Store::temporal,
          point.has("isa") ? point.text("isa") : fastest_isa};
}

std::optional<std::string> Stream::unsupported(const Kernel& kernel, const Settings& settings,
                                               const machine::Machine& machine) {
  if (auto reason = cannot_place(machine, settings)) return reason;
  if (settings.isa != fastest_isa && instruction_set_named(settings.isa) == nullptr)
    return fmt::format("isa={}: this processor does not execute it", settings.isa);
  const std::int64_t threads = settings.place.threads;
  if (threads < 1 || settings.layout(kernel).slice > 0) return std::nullopt;
  return fmt::format("bytes={}: {} arrays on {} threads need at least {} bytes", settings.bytes,
                     kernel.arrays(), threads,
                     block * sizeof(double) * static_cast<std::size_t>(kernel.arrays() * threads));
}

core::Work Stream::work(const Kernel& kernel, const Settings& settings) {
  const StreamLayout layout = settings.layout(kernel);
  std::string counted = fmt::format("{}: {} read + {} written an element of 8 bytes, {} elements",
                                    kernel.text, kernel.reads, kernel.writes, layout.elements());
  if (kernel.writes > 0 && settings.store == Store::temporal) counted += read_for_ownership(kernel);
  return {.bytes = static_cast<double>(layout.footprint()), .flops = 0, .bytes_counted = std::move(counted)};
}

Stream::Stream(const Kernel& kernel, const Settings& settings, host::HostSite& site)
    : kernel_(kernel),
      store_(kernel.writes > 0 ? settings.store : Store::temporal),
      layout_(settings.layout(kernel)),
      site_(site),
      arena_(layout_.region_stride * layout_.threads, site.numa_node, settings.pages),
      sums_(layout_.threads) {
  site_.threads.run([this](int rank) { first_touch(rank); });
  use(settings.isa == fastest_isa ? fastest() : *instruction_set_named(settings.isa));
}

void Stream::use(const InstructionSet& instructions) {
  instructions_ = &instructions;
  loop_ = instructions.loop(kernel_.formula, store_);
}

/// Chooses by the least time of several rounds in turns. Results are unwritten again afterwards.
const InstructionSet& Stream::fastest() {
  const std::vector<const InstructionSet*> sets = instruction_sets();
  if (sets.size() == 1) return *sets.front();
  use(*sets.front());
  std::int64_t iterations = 1;
  while (enqueue(iterations) < shortest_trial_s) iterations *= 2;
  std::vector<double> least(sets.size(), std::numeric_limits<double>::infinity());
  double spent_s = 0;
  for (int round = 0; round < fewest_rounds || (round < most_rounds && spent_s < enough_trials_s); ++round)
    for (std::size_t at = 0; at < sets.size(); ++at) {
      use(*sets[at]);
      const double seconds = enqueue(iterations);
      least[at] = std::min(least[at], seconds);
      spent_s += seconds;
    }
  rounds_ = 0;
  for (Sum& sum : sums_) sum.wrong = 0;
  site_.threads.run([this](int rank) { unwrite(rank); });
  return *sets[clearly_fastest(least)];
}

double* Stream::slice(int rank, std::size_t array) {
  return reinterpret_cast<double*>(arena_.data() + static_cast<std::size_t>(rank) * layout_.region_stride +
                                   array * layout_.array_stride);
}

// Inputs come first in a region, the array written comes last.
std::span<double> Stream::result(int rank) { return {slice(rank, layout_.arrays - 1), layout_.slice}; }

Operands Stream::operands(int rank) {
  return {.c = slice(rank, layout_.arrays - 1),
          .a = slice(rank, 0),
          .b = slice(rank, kernel_.reads > 1 ? 1 : 0),
          .count = layout_.slice,
          .scalar = factor};
}

void Stream::first_touch(int rank) {
  const std::size_t first = static_cast<std::size_t>(rank) * layout_.slice;
  for (std::size_t array = 0; array < static_cast<std::size_t>(kernel_.reads); ++array) {
    double* values = slice(rank, array);
    for (std::size_t i = 0; i < layout_.slice; ++i) values[i] = input(array, first + i);
  }
  unwrite(rank);
  if (kernel_.formula == Formula::read)
    for (std::size_t i = 0; i < layout_.slice; ++i)
      sums_[static_cast<std::size_t>(rank)].expected += input(0, first + i);
}

/// Fills the result with NaN, so that an element that a kernel never stores is found.
void Stream::unwrite(int rank) {
  if (kernel_.writes > 0) std::ranges::fill(result(rank), std::numeric_limits<double>::quiet_NaN());
}

double Stream::enqueue(std::int64_t iterations) {
  const double seconds = site_.threads.run([this, iterations](int rank) {
    Operands part = operands(rank);
    Sum& sum = sums_[static_cast<std::size_t>(rank)];
    for (std::int64_t i = 0; i < iterations; ++i) {
      if (kernel_.formula == Formula::write) part.scalar = first_written(rank, rounds_ + i + 1);
      const double got = loop_(part);
      if (!(got == sum.expected)) ++sum.wrong;
    }
  });
  rounds_ += iterations;
  return seconds;
}

double Stream::first_written(int rank, std::int64_t round) const {
  return static_cast<double>(static_cast<std::size_t>(rank) * layout_.slice) +
         static_cast<double>(round % rounds_before_repeating);
}

double Stream::expected(int rank, std::size_t i) const {
  const std::size_t at = static_cast<std::size_t>(rank) * layout_.slice + i;
  switch (kernel_.formula) {
    case Formula::write:
      return first_written(rank, rounds_) + static_cast<double>(i);
    case Formula::read:
    case Formula::copy:
      return input(0, at);
    case Formula::scale:
      return factor * input(0, at);
    case Formula::add:
      return input(0, at) + input(1, at);
    case Formula::triad:
      return input(0, at) + factor * input(1, at);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Stream::Difference Stream::compare(int rank) {
  Difference difference;
  const std::span<const double> values = result(rank);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wanted = expected(rank, i);
    if (values[i] == wanted) continue;  // NaN equals nothing
    if (difference.count++ == 0)
      difference.first = fmt::format("[{}] is {}, expected {}",
                                     static_cast<std::size_t>(rank) * layout_.slice + i, values[i], wanted);
  }
  return difference;
}

core::Verification Stream::check() {
  std::vector<Difference> differences(layout_.threads);
  site_.threads.run([&](int rank) { differences[static_cast<std::size_t>(rank)] = compare(rank); });
  Difference all;
  for (const Difference& difference : differences) {
    if (all.count == 0) all.first = difference.first;
    all.count += difference.count;
  }
  std::int64_t wrong_sums = 0;
  for (const Sum& sum : sums_) wrong_sums += sum.wrong;
  using Result = core::Verification::Result;
  if (rounds_ == 0) return {Result::not_checked, "nothing ran", {}};
  if (all.count > 0)
    return {Result::wrong,
            fmt::format("{} of {} elements wrong, first {}", all.count, layout_.elements(), all.first),
            {}};
  if (wrong_sums > 0)
    return {Result::wrong, fmt::format("{} sums of {} rounds wrong", wrong_sums, rounds_), {}};
  return {
      Result::right, fmt::format("{} held exactly for {} elements", kernel_.text, layout_.elements()), {}};
}

std::vector<core::Fact> Stream::facts() const {
  return {{"instruction_set", std::string(instructions_->name)},
          {"footprint_bytes", static_cast<std::int64_t>(layout_.footprint())},
          {"huge_page_bytes", arena_.huge_page_bytes()}};
}

std::vector<core::Case> stream_cases(const machine::Machine& machine) {
  using core::case_of;
  return {case_of<StreamOf<Formula::read>>(machine), case_of<StreamOf<Formula::write>>(machine),
          case_of<StreamOf<Formula::copy>>(machine), case_of<StreamOf<Formula::scale>>(machine),
          case_of<StreamOf<Formula::add>>(machine),  case_of<StreamOf<Formula::triad>>(machine)};
}

}  // namespace assay::memory
