// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/wire_seen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

using machine::Wire, machine::WireCounter;

constexpr const char* unreported = "-";

/// The lowest of its host.
bool reads_for_its_host(const team::Team& team) {
  for (int rank = 0; rank < team.rank(); ++rank)
    if (team.host_of(rank) == team.host_of(team.rank())) return false;
  return true;
}

/// A line a counter. Names of interfaces hold no white space.
std::string to_text(const std::vector<WireCounter>& counters) {
  std::string text;
  for (const WireCounter& one : counters)
    fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", static_cast<int>(one.wire), one.name,
                   one.place.empty() ? unreported : one.place,
                   one.bytes ? std::to_string(*one.bytes) : unreported);
  return text;
}

/// Throws core::Error (team) on a text of another form.
WireCounter counter_from(const std::string& line, const std::string& host) {
  WireCounter one;
  std::size_t wire = 0;
  std::string bytes;
  std::istringstream words(line);
  words >> wire >> one.name >> one.place >> bytes;
  const bool reported = bytes != unreported;
  if (reported) std::istringstream(bytes) >> one.bytes.emplace();
  const bool whole =
      words && wire < machine::all_wires.size() && (!reported || std::to_string(*one.bytes) == bytes);
  if (!whole)
    throw core::Error(core::ErrorKind::team, fmt::format("'{}': expected a counter of a wire", line));
  one.wire = machine::all_wires[wire];
  if (one.place == unreported) one.place = host;
  return one;
}

std::vector<WireCounter> counters_from(const std::string& text, const std::string& host) {
  std::vector<WireCounter> counters;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) counters.push_back(counter_from(line, host));
  return counters;
}

}  // namespace

WireSeen::WireSeen(team::Team& team, ReadWires read)
    : team_(team), read_(std::move(read)), reads_(reads_for_its_host(team)) {
  if (!read_) read_ = [] { return machine::read_wire_counters(); };
}

void WireSeen::begins() {
  iterations_ = 0;
  if (reads_) before_ = read_();
}

void WireSeen::ends() {
  if (reads_) sent_ = machine::sent_between(before_, read_());
}

std::vector<core::Metric> WireSeen::gathered() {
  const std::vector<std::string> texts = team_.gather_at_leader(to_text(sent_), team::reply_limit_s);
  if (team_.rank() != 0) return {};
  std::vector<WireCounter> all;
  for (int rank = 0; rank < team_.size(); ++rank)
    for (WireCounter& one : counters_from(texts[static_cast<std::size_t>(rank)], team_.host_of(rank)))
      all.push_back(std::move(one));
  return wire_metrics(all, iterations_);
}

std::vector<core::Fact> WireSeen::facts() const {
  std::vector<std::string> reported, unknown;
  for (const WireCounter& one : sent_) (one.bytes ? reported : unknown).push_back(one.name);
  std::vector<core::Fact> facts;
  if (!reported.empty()) facts.emplace_back("wire_counters", fmt::format("{}", fmt::join(reported, ", ")));
  if (!unknown.empty())
    facts.emplace_back("wire_counters_unknown", fmt::format("{}", fmt::join(unknown, ", ")));
  return facts;
}

std::vector<core::Metric> wire_metrics(const std::vector<WireCounter>& sent, std::int64_t iterations) {
  if (iterations == 0) return {};
  std::vector<core::Metric> metrics;
  for (const Wire wire : machine::all_wires) {
    std::set<std::tuple<std::string, std::string>> counted;
    double bytes = 0;
    bool known = true;
    for (const WireCounter& one : sent) {
      if (one.wire != wire || !counted.emplace(one.place, one.name).second) continue;
      known = known && one.bytes;
      bytes += static_cast<double>(one.bytes.value_or(0));
    }
    if (!counted.empty() && known)
      metrics.push_back(
          {fmt::format("wire_seen_{}_bytes", to_text(wire)), "B", bytes / static_cast<double>(iterations)});
  }
  return metrics;
}

}  // namespace assay::collectives
