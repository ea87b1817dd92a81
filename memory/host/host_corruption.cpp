// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/host_corruption.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "memory/copy_pattern.hpp"

namespace assay::memory {
namespace {

constexpr std::size_t line_words = 8;      // regions begin on a cache line of their own
constexpr std::int64_t self_test_row = 8;  // words: a stuck row is a stuck cache line

std::size_t all_words(const HostSettings& settings) {
  return words_of_thread(settings) * static_cast<std::size_t>(settings.place.threads);
}

}  // namespace

std::size_t words_of_thread(const HostSettings& settings) {
  const std::int64_t bytes = settings.bytes, threads = settings.place.threads;
  if (bytes < 0 || threads < 1) return 0;
  return static_cast<std::size_t>(bytes / threads / 2 / 8) / line_words * line_words;
}

std::vector<core::Axis> HostCorruption::axes(const machine::Machine& machine) {
  const core::Axis bytes{.name = "bytes",
                         .meaning = "footprint: sources and copies of all threads",
                         .domain = core::Domain::sizes,
                         .values = {256 * core::mib}};
  return {bytes, threads_axis(machine), numa_axis(machine), cpu_node_axis(), pages_axis({"transparent"})};
}

std::optional<std::string> HostCorruption::unsupported(const Settings& settings,
                                                       const machine::Machine& machine) {
  if (auto reason = cannot_place(machine, settings)) return reason;
  if (words_of_thread(settings) > 0) return std::nullopt;
  return fmt::format("bytes={}: {} threads need at least {} bytes", settings.bytes, settings.place.threads,
                     128 * settings.place.threads);
}

core::Work HostCorruption::work(const Settings& settings) {
  return {
      .bytes = static_cast<double>(2 * 8 * all_words(settings)),
      .bytes_counted = "compared: source and copy; each byte of the source is also written, and each copied"};
}

HostCorruption::HostCorruption(const Settings& settings, host::HostSite& site)
    : words_(words_of_thread(settings)),
      site_(site),
      arena_(2 * 8 * all_words(settings), site.numa_node, settings.pages),
      logs_(static_cast<std::size_t>(settings.place.threads)) {
  found_.bytes_per_round = static_cast<std::int64_t>(arena_.size());
}

std::span<std::uint64_t> HostCorruption::source(int rank) const {
  return arena_.as<std::uint64_t>().subspan(2 * words_ * static_cast<std::size_t>(rank), words_);
}

std::span<std::uint64_t> HostCorruption::copy(int rank) const {
  return arena_.as<std::uint64_t>().subspan(2 * words_ * static_cast<std::size_t>(rank) + words_, words_);
}

/// Byte offset of a thread's first word within all sources.
std::uint64_t HostCorruption::offset(int rank) const { return 8 * words_ * static_cast<std::uint64_t>(rank); }

void HostCorruption::round(int rank, std::uint64_t number, integrity::MismatchLog& log) {
  write_pattern(source(rank), offset(rank), number);
  std::memcpy(copy(rank).data(), source(rank).data(), copy(rank).size_bytes());
  if (damage_) damage_(copy(rank), rank, number);
  compare_pattern(copy(rank), offset(rank), number, log);
  compare_pattern(source(rank), offset(rank), number, log);
}

double HostCorruption::enqueue(std::int64_t iterations) {
  const auto first = static_cast<std::uint64_t>(found_.rounds);
  const double seconds = site_.threads.run([&](int rank) {
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(iterations); ++i)
      round(rank, first + i, logs_[static_cast<std::size_t>(rank)]);
  });
  found_.rounds += iterations;
  return seconds;
}

core::Verification HostCorruption::check() {
  if (found_.rounds == 0) return judge_copies(found_);
  // Round 0 once more, whose digest is the same in every run.
  std::vector<integrity::Digest> digests(logs_.size());
  site_.threads.run([&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    round(rank, 0, logs_[index]);
    digests[index] = digest_of(copy(rank), offset(rank));
  });
  ++found_.rounds;
  integrity::Digest digest;
  for (const integrity::Digest& part : digests) digest += part;
  found_.digest = to_text(digest);
  for (const integrity::MismatchLog& log : logs_) add(found_.wrong, log);
  return judge_copies(found_);
}

std::vector<core::Fact> HostCorruption::facts() const {
  std::vector<core::Fact> facts{{"footprint_bytes", static_cast<std::int64_t>(arena_.size())},
                                {"huge_page_bytes", arena_.huge_page_bytes()}};
  for (core::Fact& fact : copies_facts(found_)) facts.push_back(std::move(fact));
  return facts;
}

HostSelfTest::HostSelfTest(const Settings& settings, host::HostSite& site)
    : site_(site),
      arena_(8 * settings.words, site.numa_node, host::Pages::transparent),
      words_(arena_.as<std::uint64_t>()),
      plan_(settings.plan),
      table_({"words", "digest"}) {
  write_pattern(words_, 0, 0);
  digest_ = digest_of(words_, 0);
}

integrity::Elements HostSelfTest::elements() const {
  return {arena_.data(), 8, static_cast<std::int64_t>(words_.size()) / self_test_row, self_test_row};
}

std::vector<bool> HostSelfTest::ask(const integrity::Fault& fault) {
  const integrity::PlantedFault planted(elements(), fault);
  integrity::MismatchLog log{};
  compare_pattern(words_, 0, 0, log);
  return {integrity::is_exactly(in_words(log), fault), digest_of(words_, 0) != digest_};
}

double HostSelfTest::enqueue(std::int64_t iterations) {
  return site_.threads.run([&](int rank) {
    for (std::int64_t i = 0; rank == 0 && i < iterations; ++i) {
      integrity::study(plan_, elements(), [&](const integrity::Fault& fault) { return ask(fault); }, table_);
      plan_.seed = integrity::mix(plan_.seed + 1);
    }
  });
}

std::vector<core::Fact> HostSelfTest::facts() const {
  return {{core::names::detection, table_.to_json()}, {"huge_page_bytes", arena_.huge_page_bytes()}};
}

std::vector<core::Case> host_corruption_cases(const machine::Machine& machine) {
  return {core::case_of<HostCorruption>(machine), core::case_of<HostSelfTest>(machine)};
}

}  // namespace assay::memory
