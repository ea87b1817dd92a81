// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/tuner/tuner_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "collectives/tuner/tuner_words.hpp"

namespace assay::collectives {
namespace {

constexpr int most_channels = 64;  // NCCL's MAXCHANNELS
constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

/// Rows about the same communicators and buffers, in the same words.
using Scope = std::tuple<std::string, int, int, int, int>;

Scope scope_of(const TunerRow& row) {
  return {row.collective, row.nodes, row.ranks, row.pipe_ops, row.registered};
}

std::string any_or(int number) { return number == -1 ? "any" : std::to_string(number); }

std::string text_of(const TunerRow& row) {
  std::string text =
      fmt::format("{}, nNodes {}, nRanks {}", row.collective, any_or(row.nodes), any_or(row.ranks));
  if (row.pipe_ops != -1) text += fmt::format(", numPipeOps {}", row.pipe_ops);
  if (row.registered != -1) text += fmt::format(", regBuff {}", row.registered);
  return text;
}

std::map<Scope, std::vector<const TunerRow*>> by_scope(const std::vector<TunerRow>& rows) {
  std::map<Scope, std::vector<const TunerRow*>> scopes;
  for (const TunerRow& row : rows) scopes[scope_of(row)].push_back(&row);
  for (auto& [scope, its_rows] : scopes)
    std::ranges::stable_sort(its_rows, {}, [](const TunerRow* row) { return row->min_bytes; });
  return scopes;
}

void check_row(const TunerRow& row, std::vector<TunerFault>& faults) {
  const auto fault = [&](const std::string& what) { faults.push_back({row.line, what}); };
  if (row.channels < 0)
    fault(fmt::format("channels {}: the plug-in then leaves the one channel that it starts from",
                      row.channels));
  if (row.channels == 0) fault("channels 0: NCCL then takes a number of its own");
  if (row.channels > most_channels)
    fault(fmt::format("channels {}: NCCL has at most {}", row.channels, most_channels));
  if (row.min_bytes > row.max_bytes)
    fault(fmt::format("smallest {} above largest {} bytes: the row never matches", row.min_bytes,
                      row.max_bytes));
  for (const auto& [name, number] : {std::pair{"nNodes", row.nodes}, std::pair{"nRanks", row.ranks}})
    if (number != -1 && number < 1) fault(fmt::format("{} {}: the row never matches", name, number));
  const std::string why =
      why_nccl_never_runs({row.collective, row.algorithm, row.protocol, row.nodes, row.ranks});
  if (!why.empty()) fault(why + ": the plug-in passes the row over");
}

bool meet(int one, int other) { return one == -1 || other == -1 || one == other; }

bool speak_of_one_thing(const TunerRow& one, const TunerRow& other) {
  return one.collective == other.collective && meet(one.nodes, other.nodes) && meet(one.ranks, other.ranks) &&
         meet(one.pipe_ops, other.pipe_ops) && meet(one.registered, other.registered);
}

/// The first row that matches decides: of two that overlap the later one is not read there.
void check_overlaps(const std::vector<TunerRow>& rows, std::vector<TunerFault>& faults) {
  for (auto later = rows.begin(); later != rows.end(); ++later)
    for (auto earlier = rows.begin(); earlier != later; ++earlier) {
      const std::uint64_t first = std::max(earlier->min_bytes, later->min_bytes);
      const std::uint64_t last = std::min(earlier->max_bytes, later->max_bytes);
      if (first > last || !speak_of_one_thing(*earlier, *later)) continue;
      faults.push_back({later->line, fmt::format("overlaps line {} at {} to {} bytes, which decides there",
                                                 earlier->line, first, last)});
      break;
    }
}

/// Sizes below the largest of a scope that no row covers.
void check_gaps(const std::vector<TunerRow>& rows, std::vector<TunerFault>& faults) {
  for (const auto& [scope, its_rows] : by_scope(rows)) {
    std::uint64_t next = 1;  // the smallest size not yet spoken of; nothing is asked of 0 bytes
    for (const TunerRow* row : its_rows) {
      const bool spoken_of = std::ranges::any_of(rows, [&](const TunerRow& other) {
        return matches(other,
                       {row->collective, next, row->nodes, row->ranks, row->pipe_ops, row->registered});
      });
      if (row->min_bytes > next && row->min_bytes <= row->max_bytes && !spoken_of)
        faults.push_back(
            {row->line, fmt::format("{}: no row for {} to {} bytes: the plug-in then forces one channel",
                                    text_of(*row), next, row->min_bytes - 1)});
      if (row->max_bytes != no_end) next = std::max(next, row->max_bytes + 1);
    }
  }
}

}  // namespace

std::vector<TunerFault> all_faults(const TunerFile& file) {
  std::vector<TunerFault> faults = file.faults;
  for (const TunerRow& row : file.rows) check_row(row, faults);
  check_overlaps(file.rows, faults);
  check_gaps(file.rows, faults);
  if (file.rows.empty()) faults.push_back({1, "no row: the plug-in forces one channel on every collective"});
  std::ranges::stable_sort(faults, {}, &TunerFault::line);
  return faults;
}

std::vector<std::string> tuner_notes(const TunerFile& file) {
  std::vector<std::string> notes;
  for (const auto& [scope, its_rows] : by_scope(file.rows)) {
    const TunerRow& last = **std::ranges::max_element(its_rows, {}, &TunerRow::max_bytes);
    if (last.max_bytes != no_end)
      notes.push_back(fmt::format("{}: no row above {} bytes: the plug-in then forces one channel",
                                  text_of(last), last.max_bytes));
  }
  return notes;
}

std::string answer_text(const TunerFile& file, const TunerQuestion& question) {
  const TunerRow* row = applied_row(file.rows, question);
  if (row == nullptr) return "no row: one channel is forced; algorithm and protocol are NCCL's own choice";
  const std::string channels = row->channels == -1  ? "1 channel, the plug-in's own"
                               : row->channels == 0 ? "channels of NCCL's own choice"
                                                    : fmt::format("{} channels", row->channels);
  return fmt::format("line {}: {}, {}, {}", row->line, row->algorithm, row->protocol, channels);
}

}  // namespace assay::collectives
