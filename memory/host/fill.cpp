// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of filling host memory with one byte value: by the C library's memset, or by non-temporal stores.
#include <fmt/format.h>
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "harness/host/arena.hpp"
#include "memory/host/host_placement.hpp"

namespace assay::memory {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr int never_filled = 0xA5;  // fills are 1 to 128

using FillLoop = void (*)(std::byte* target, std::uint8_t value, std::size_t bytes);

void fill_by_memset(std::byte* target, std::uint8_t value, std::size_t bytes) {
  std::memset(target, value, bytes);
}

void fill_past_caches(std::byte* target, std::uint8_t value, std::size_t bytes) {
  const __m128i values = _mm_set1_epi8(static_cast<char>(value));
  for (std::size_t at = 0; at < bytes; at += sizeof values)
    _mm_stream_si128(reinterpret_cast<__m128i*>(target + at), values);
  _mm_sfence();  // the stores wait in buffers that only a fence empties
}

class Fill {
 public:
  using Site = host::HostSite;
  struct Settings : HostSettings {
    FillLoop loop = fill_by_memset;
    /// Bytes of one thread: whole pages, so that none is shared.
    std::size_t slice() const {
      return bytes < 0 || place.threads < 1
                 ? 0
                 : static_cast<std::size_t>(bytes / place.threads) / page_bytes * page_bytes;
    }
    std::int64_t footprint() const { return static_cast<std::int64_t>(slice()) * place.threads; }
  };
  static constexpr std::string_view name = "memory.host.fill";
  static constexpr std::string_view measures =
      "host memory: bandwidth of filling with one byte value, by memset or by non-temporal stores";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    const std::int64_t large = footprint_beyond_caches(machine, 4);
    return {
        {.name = "bytes",
         .meaning = "footprint of all threads together; memory: at least 4 times the last-level caches, a "
                    "sixteenth of memory at most",
         .domain = core::Domain::sizes,
         .values = {large},
         .aliases = {{"memory", large}}},
        threads_axis(machine),
        numa_axis(machine),
        cpu_node_axis(),
        {.name = "by",
         .meaning = "memset: the C library's; nontemporal: stores past the caches",
         .domain = core::Domain::words,
         .values = {"memset", "nontemporal"},
         .choices = {"memset", "nontemporal"}},
        pages_axis({"transparent"})};
  }
  static Settings settings(const core::Point& point) {
    return {host_settings(point), point.text("by") == "nontemporal" ? fill_past_caches : fill_by_memset};
  }
  static core::Work work(const Settings& settings) {
    return {.bytes = static_cast<double>(settings.footprint()),
            .bytes_counted = "written; lines that a temporal store fetches first are not counted"};
  }
  static std::vector<core::Fact> derived(const Settings& settings, const machine::Machine& machine) {
    return {{core::names::cache_state, cache_state(machine, settings.footprint())}};
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    if (auto reason = cannot_place(machine, settings)) return reason;
    if (settings.slice() > 0) return std::nullopt;
    return fmt::format("bytes={}: {} threads need at least a page of {} bytes each", settings.bytes,
                       settings.place.threads, page_bytes);
  }

  Fill(const Settings& settings, host::HostSite& site)
      : settings_(settings),
        site_(site),
        arena_(static_cast<std::size_t>(settings.footprint()), site.numa_node, settings.pages) {
    site_.threads.run([this](int rank) { std::memset(slice(rank), never_filled, settings_.slice()); });
  }

  double enqueue(std::int64_t iterations) {
    const double seconds = site_.threads.run([this, iterations](int rank) {
      for (std::int64_t i = 1; i <= iterations; ++i)
        settings_.loop(slice(rank), value_of(rounds_ + i), settings_.slice());
    });
    rounds_ += iterations;
    return seconds;
  }

  core::Verification check() {
    using enum core::Verification::Result;
    if (rounds_ == 0) return {not_checked, "nothing ran", {}};
    const auto all = arena_.as<std::uint8_t>();
    const auto filled = static_cast<std::size_t>(settings_.footprint());
    const std::uint8_t expected = value_of(rounds_);
    const auto first = std::ranges::find_if(all.first(filled), [&](auto byte) { return byte != expected; });
    const auto at = static_cast<std::size_t>(first - all.begin());
    if (at < filled) return {wrong, fmt::format("byte {} is {}, expected {}", at, *first, expected), {}};
    return {right, fmt::format("all {} bytes hold the value of the last of {} fills", filled, rounds_), {}};
  }

  std::vector<core::Fact> facts() const {
    return {{"footprint_bytes", settings_.footprint()}, {"huge_page_bytes", arena_.huge_page_bytes()}};
  }

 private:
  static std::uint8_t value_of(std::int64_t round) { return static_cast<std::uint8_t>(round % 128 + 1); }
  std::byte* slice(int rank) const {
    return arena_.data() + static_cast<std::size_t>(rank) * settings_.slice();
  }

  Settings settings_;
  host::HostSite& site_;
  host::Arena arena_;
  std::int64_t rounds_ = 0;
};

}  // namespace

std::vector<core::Case> fill_cases(const machine::Machine& machine) { return {core::case_of<Fill>(machine)}; }

}  // namespace assay::memory
