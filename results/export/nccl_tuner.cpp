// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rules that keep the stock plug-in from guessing: explicit channels, words that it knows, lines that it
// reads whole.
#include "results/export/nccl_tuner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "harness/core/units.hpp"
#include "results/export/nccl_tuner_points.hpp"

namespace assay::results {
namespace {

constexpr std::size_t longest_line = 255;  // that the plug-in reads whole

/// All that ran at one size, the fastest first.
using Contenders = std::vector<NcclPoint>;
using BySize = std::map<std::int64_t, Contenders>;

bool decided(const Contenders& contenders) {
  return std::all_of(contenders.begin() + 1, contenders.end(),
                     [&](const NcclPoint& other) { return other.lower_s > contenders.front().upper_s; });
}

/// Sizes that follow one another with one winner.
struct Range {
  NcclChoice choice;
  std::vector<std::int64_t> sizes = {}, undecided = {}, uncontested = {};
};

std::vector<Range> ranges_of(const BySize& sizes) {
  std::vector<Range> ranges;
  for (const auto& [bytes, contenders] : sizes) {
    if (ranges.empty() || ranges.back().choice != contenders.front().choice)
      ranges.push_back({contenders.front().choice});
    Range& range = ranges.back();
    range.sizes.push_back(bytes);
    if (contenders.size() == 1)
      range.uncontested.push_back(bytes);
    else if (!decided(contenders))
      range.undecided.push_back(bytes);
  }
  return ranges;
}

/// The geometric mean of neighbouring sizes: the last size that goes with the smaller one.
std::int64_t border(std::int64_t smaller, std::int64_t larger) {
  const auto mean = std::sqrt(static_cast<double>(smaller)) * std::sqrt(static_cast<double>(larger));
  return std::clamp(static_cast<std::int64_t>(mean), smaller, larger - 1);
}

std::string comment(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' '; }, ' ');
  text.insert(0, "# ");
  if (text.size() > longest_line) text.replace(longest_line - 3, std::string::npos, "...");
  return text + '\n';
}

std::string doubt(const std::vector<std::int64_t>& sizes, const Range& range, const char* what) {
  if (sizes.empty()) return "";
  return comment(fmt::format("{} at {} of {} sizes measured, {} to {} bytes", what, sizes.size(),
                             range.sizes.size(), sizes.front(), sizes.back()));
}

std::string rows_of(const NcclScope& scope, const BySize& sizes, const std::string& registered) {
  std::string text;
  std::int64_t first = 0;
  const std::vector<Range> ranges = ranges_of(sizes);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range& range = ranges[i];
    const std::int64_t last =
        i + 1 < ranges.size() ? border(range.sizes.back(), ranges[i + 1].sizes.front()) : range.sizes.back();
    text += doubt(range.undecided, range, "undecided (the intervals of the first two meet)");
    text += doubt(range.uncontested, range, "only one pair was measured");
    text += fmt::format("{},{},{},{},{},{},{},{},-1,{}\n", tuner_word(scope.operation), first, last,
                        range.choice.algorithm, range.choice.protocol, range.choice.channels, scope.nodes,
                        scope.ranks, registered);
    first = last + 1;
  }
  return text;
}

std::string provenance(const RunPoints& run, const NcclPoints& points,
                       const std::vector<std::string>& left_out) {
  std::set<std::string> hosts, versions, builds;
  for (const ContextRecord& context : run.contexts())
    if (context.module == "collectives") {
      hosts.insert(context.host);
      builds.insert(context.assay_version + " (" + context.source_revision + ")");
    }
  for (const NcclPoint& point : points.usable)
    versions.insert(point.nccl_version.empty() ? "of a version not recorded" : point.nccl_version);
  std::string text = comment("for NCCL's example tuner plug-in: NCCL_TUNER_CONFIG_FILE");
  text += comment(fmt::format("assay run {} of {}, {}, host {}", run.stored().run_id, run.stored().started,
                              run.origin(), fmt::join(hosts, ", ")));
  text += comment(fmt::format("NCCL {}; assay {}", fmt::join(versions, ", "), fmt::join(builds, ", ")));
  text += comment(fmt::format("{} of {} records used; sizes are bytes of a rank's larger buffer", points.used,
                              points.records));
  for (const std::string& reason : left_out) text += comment("left out: " + reason);
  text += comment("collective,smallest,largest,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff");
  return text;
}

std::map<NcclScope, BySize> by_scope(const std::vector<NcclPoint>& points) {
  std::map<NcclScope, BySize> scopes;
  for (const NcclPoint& point : points) scopes[point.scope][point.bytes].push_back(point);
  for (auto& [scope, sizes] : scopes)
    for (auto& [bytes, contenders] : sizes) std::ranges::stable_sort(contenders, {}, &NcclPoint::time_s);
  return scopes;
}

std::vector<std::string> reasons_of(const NcclPoints& points) {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : points.left_out)
    reasons.push_back(fmt::format("{} {}", core::counted(static_cast<std::int64_t>(count), "point"), reason));
  return reasons;
}

}  // namespace

NcclTunerFile nccl_tuner_file(const Store& store, const std::optional<std::string>& run_id) {
  const RunPoints run(store, run_id, std::numeric_limits<std::int64_t>::max());
  const NcclPoints points = nccl_points(run);
  NcclTunerFile file{.text = {}, .rows = 0, .points = points.used, .left_out = reasons_of(points)};
  if (points.usable.empty())
    throw std::runtime_error(
        fmt::format("run {}: no point of collectives.nccl with a forced algorithm and protocol that NCCL is "
                    "known to have run{}{}",
                    run.stored().run_id, file.left_out.empty() ? "" : ": ", fmt::join(file.left_out, "; ")));
  file.text = provenance(run, points, file.left_out);
  const auto scopes = by_scope(points.usable);
  for (const auto& [scope, sizes] : scopes) {
    // Rows of registered buffers and of others differ only where both were measured: else one fits all.
    NcclScope other = scope;
    other.registered = 1 - scope.registered;
    const std::string& setting = sizes.begin()->second.front().setting;
    file.text += comment(fmt::format("{} on {} nodes, {} ranks{}{}", scope.operation, scope.nodes,
                                     scope.ranks, setting.empty() ? "" : ": ", setting));
    file.text += rows_of(scope, sizes, scopes.contains(other) ? std::to_string(scope.registered) : "-1");
  }
  for (std::size_t at = 0; at < file.text.size(); at = file.text.find('\n', at) + 1)
    file.rows += file.text[at] != '#';
  return file;
}

}  // namespace assay::results
