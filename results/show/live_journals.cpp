// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/live_journals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "results/record/journal.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;
using UnitName = std::pair<std::string, std::string>;

bool is_bad(Status status) {
  return status == Status::failed || status == Status::wrong || status == Status::timeout;
}

void count_point(LiveUnit& unit, const PointRecord& point) {
  unit.ok += point.status == Status::ok ? 1 : 0;
  unit.unsupported += point.status == Status::unsupported ? 1 : 0;
  unit.bad += is_bad(point.status) ? 1 : 0;
  unit.busy_s += point.elapsed_s;
  unit.ended = false;
  unit.latest_point = point.case_name + " " + point.key;
  unit.latest_started = point.started;
  unit.latest_rate.clear();
  if (point.metrics.empty()) return;
  const Metric& headline = point.metrics.front();
  unit.latest_rate = number_text({headline.value, headline.lower, headline.upper}) + " " + headline.unit;
}

void add_unit(LiveUnit& all, const LiveUnit& one) {
  all.ok += one.ok;
  all.unsupported += one.unsupported;
  all.bad += one.bad;
  all.busy_s += one.busy_s;
  if (one.latest_started < all.latest_started) return;  // ISO 8601, UTC
  all.ended = one.ended;
  all.origin = one.origin;
  all.latest_point = one.latest_point;
  all.latest_rate = one.latest_rate;
  all.latest_started = one.latest_started;
}

}  // namespace

LiveJournals::Journal LiveJournals::read(const std::filesystem::path& file) {
  Journal journal;
  std::map<std::int64_t, UnitName> processes;
  for_each_record(file, [&](const Record& record) {
    if (const auto* context = std::get_if<ContextRecord>(&record)) {
      processes[context->process] = {context->host, context->module};
      LiveUnit& unit = journal.units[processes[context->process]];
      unit.origin = to_string(context->origin);
      unit.ended = false;
    } else if (const auto* point = std::get_if<PointRecord>(&record)) {
      const UnitName& name = processes[point->process];
      count_point(journal.units[name], *point);
      if (is_bad(point->status))
        journal.findings.emplace_back(
            point->started, fmt::format("{}: {} {}: {}: {}", name.first, point->case_name, point->key,
                                        to_string(point->status), point->reason));
    } else if (const auto* end = std::get_if<EndRecord>(&record)) {
      journal.units[processes[end->process]].ended = true;
    }
  });
  return journal;
}

void LiveJournals::look() {
  std::error_code gone;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_, gone)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != ".jsonl" || file.filename() == "timeline.jsonl") continue;
    const std::uintmax_t bytes = entry.file_size(gone);
    written_ = std::max(written_, entry.last_write_time(gone));
    if (gone || journals_[file].bytes == bytes) continue;
    journals_[file] = read(file);
    journals_[file].bytes = bytes;
  }
}

std::map<UnitName, LiveUnit> LiveJournals::units() const {
  std::map<UnitName, LiveUnit> all;
  for (const auto& [file, journal] : journals_)
    for (const auto& [name, unit] : journal.units) add_unit(all[name], unit);
  return all;
}

std::int64_t LiveJournals::points() const {
  std::int64_t points = 0;
  for (const auto& [name, unit] : units()) points += unit.ok + unit.unsupported + unit.bad;
  return points;
}

bool LiveJournals::ended() const {
  const auto all = units();
  return !all.empty() && std::ranges::all_of(all, [](const auto& unit) { return unit.second.ended; });
}

double LiveJournals::silent_s() const {
  const std::chrono::duration<double> silent = std::filesystem::file_time_type::clock::now() - written_;
  return std::max(0.0, std::round(silent.count()));
}

Table LiveJournals::table() const {
  Table table;
  table.columns = {{"host", "", Kind::word},         {"module", "", Kind::word},
                   {"origin", "", Kind::word, true}, {"state", "", Kind::word},
                   {"ok", "", Kind::count},          {"bad", "", Kind::count},
                   {"unsupported", "", Kind::count}, {"points/min", "", Kind::number},
                   {"latest", "", Kind::word},       {"point", "", Kind::text}};
  for (const auto& [name, unit] : units()) {
    const auto points = static_cast<double>(unit.ok + unit.bad);
    table.rows.push_back({name.first, name.second, unit.origin, std::string(unit.ended ? "ended" : "runs"),
                          unit.ok, unit.bad, unit.unsupported,
                          unit.busy_s > 0 ? Cell(Number{60 * points / unit.busy_s}) : Cell(),
                          unit.latest_rate.empty() ? Cell() : Cell(unit.latest_rate), unit.latest_point});
  }
  return table;
}

std::vector<std::string> LiveJournals::findings(std::size_t most) const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [file, journal] : journals_)
    all.insert(all.end(), journal.findings.begin(), journal.findings.end());
  std::ranges::sort(all, std::ranges::greater{});
  std::vector<std::string> latest;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) latest.push_back(all[i].second);
  return latest;
}

}  // namespace assay::results
