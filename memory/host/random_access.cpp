// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Random updates of host memory, as HPC Challenge's RandomAccess defines them: word r mod 2^n of a table of
// 2^n words of 64 bits becomes its XOR with r. Each thread has a table of its own (the Star variant), so that
// every update counts and the check is exact.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "harness/host/arena.hpp"
#include "memory/host/host_placement.hpp"

namespace assay::memory {
namespace {

// HPC Challenge allows to look 1024 updates ahead; its own code interleaves 128 sequences, and so does this.
constexpr std::size_t sequences = 128;
constexpr std::int64_t steps_of_iteration = 512;
constexpr std::int64_t updates_of_iteration = static_cast<std::int64_t>(sequences) * steps_of_iteration;
constexpr std::uint64_t fewest_words = 1024;

// r is x^k in GF(2)[x] modulo x^64 + x^2 + x + 1; the next one is r times x.
constexpr std::uint64_t next(std::uint64_t r) { return (r << 1U) ^ (r >> 63U != 0 ? 7U : 0U); }

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  for (; b != 0; b >>= 1U, a = next(a))
    if ((b & 1U) != 0) sum ^= a;
  return sum;
}

/// x^k, by squaring.
constexpr std::uint64_t at_position(std::uint64_t k) {
  std::uint64_t power = 1;
  for (std::uint64_t square = 2; k != 0; k >>= 1U, square = product(square, square))
    if ((k & 1U) != 0) power = product(power, square);
  return power;
}
static_assert(at_position(0) == 1 && at_position(63) == std::uint64_t{1} << 63U && at_position(64) == 7);

/// The sequences of one thread, too far apart to meet.
class Updates {
 public:
  explicit Updates(int rank) {
    constexpr std::uint64_t apart = std::uint64_t{1} << 40U;
    for (std::size_t i = 0; i < sequences; ++i)
      at_[i] = at_position(apart * (static_cast<std::uint64_t>(rank) * sequences + i + 1));
  }
  void apply(std::span<std::uint64_t> table, std::int64_t iterations) {
    const std::uint64_t mask = table.size() - 1;
    for (std::int64_t step = 0; step < iterations * steps_of_iteration; ++step)
      for (std::uint64_t& r : at_) {
        r = next(r);
        table[r & mask] ^= r;
      }
  }

 private:
  std::array<std::uint64_t, sequences> at_{};
};

class RandomAccess {
 public:
  using Site = host::HostSite;
  struct Settings : HostSettings {
    std::uint64_t words = 0;  // of one thread's table
  };
  static constexpr std::string_view name = "memory.host.random_access";
  static constexpr std::string_view measures =
      "host memory: random updates of 64-bit words per second (HPC Challenge's RandomAccess, a table a "
      "thread)";
  static constexpr core::Headline headline = core::Headline::update_rate_gup_per_s;

  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    const std::int64_t beyond = footprint_beyond_caches(machine, 4);
    const auto large = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(beyond)));
    return {
        {.name = "bytes",
         .meaning = "tables of all threads together, each rounded down to a power of two; memory: at least 4 "
                    "times the last-level caches, a sixteenth of memory at most",
         .domain = core::Domain::sizes,
         .values = {large},
         .aliases = {{"memory", large}}},
        threads_axis(machine),
        numa_axis(machine),
        cpu_node_axis(),
        pages_axis({"transparent"})};
  }
  static Settings settings(const core::Point& point) {
    const HostSettings host = host_settings(point);
    const std::int64_t threads = std::max<std::int64_t>(1, host.place.threads);
    return {host,
            std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(0, host.bytes) / threads / 8))};
  }
  static core::Work work(const Settings& settings) {
    const auto updates = static_cast<double>(updates_of_iteration * settings.place.threads);
    return {.bytes = 16 * updates,
            .operations = updates,
            .bytes_counted = "8 bytes read and 8 written an update; a whole line crosses the bus each way"};
  }
  static std::vector<core::Fact> derived(const Settings& settings, const machine::Machine& machine) {
    return {{core::names::cache_state, cache_state(machine, footprint(settings))}};
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    if (auto reason = cannot_place(machine, settings)) return reason;
    if (settings.words >= fewest_words) return std::nullopt;
    return fmt::format("bytes={}: {} threads need at least {} bytes each", settings.bytes,
                       settings.place.threads, 8 * fewest_words);
  }

  RandomAccess(const Settings& settings, host::HostSite& site)
      : words_(settings.words),
        site_(site),
        arena_(static_cast<std::size_t>(footprint(settings)), site.numa_node, settings.pages) {
    for (int rank = 0; rank < site.threads.size(); ++rank) updates_.emplace_back(rank);
    site_.threads.run([this](int rank) {
      for (std::uint64_t i = 0; i < words_; ++i) table(rank)[i] = i;
    });
  }

  double enqueue(std::int64_t iterations) {
    iterations_ += iterations;
    return site_.threads.run([this, iterations](int rank) {
      updates_[static_cast<std::size_t>(rank)].apply(table(rank), iterations);
    });
  }

  /// Applies the same updates once more: a second XOR undoes the first, and every word is its index again.
  core::Verification check() {
    using enum core::Verification::Result;
    if (iterations_ == 0) return {not_checked, "nothing ran", {}};
    std::vector<std::int64_t> wrong_words(updates_.size());
    site_.threads.run([&](int rank) {
      const auto own = table(rank);
      Updates(rank).apply(own, iterations_);
      for (std::uint64_t i = 0; i < words_; ++i)
        if (own[i] != i) ++wrong_words[static_cast<std::size_t>(rank)];
      Updates(rank).apply(own, iterations_);  // as it was, for whoever asks again
    });
    std::int64_t all_wrong = 0;
    for (const std::int64_t count : wrong_words) all_wrong += count;
    const std::int64_t updates = updates_of_iteration * iterations_;
    if (all_wrong > 0)
      return {
          wrong, fmt::format("{} words are wrong after {} updates of each table", all_wrong, updates), {}};
    return {
        right, fmt::format("{} updates of each table, done twice, left every word as it was", updates), {}};
  }

  std::vector<core::Fact> facts() const {
    return {{"table_words_of_a_thread", static_cast<std::int64_t>(words_)},
            {"huge_page_bytes", arena_.huge_page_bytes()}};
  }

 private:
  static std::int64_t footprint(const Settings& settings) {
    return static_cast<std::int64_t>(8 * settings.words) * settings.place.threads;
  }
  std::span<std::uint64_t> table(int rank) const {
    return arena_.as<std::uint64_t>().subspan(static_cast<std::size_t>(rank) * words_, words_);
  }

  std::uint64_t words_;
  host::HostSite& site_;
  host::Arena arena_;
  std::vector<Updates> updates_;  // by rank
  std::int64_t iterations_ = 0;
};

}  // namespace

std::vector<core::Case> random_access_cases(const machine::Machine& machine) {
  return {core::case_of<RandomAccess>(machine)};
}

}  // namespace assay::memory
