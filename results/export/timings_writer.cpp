// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <set>
#include <utility>

#include "harness/core/text/csv_text.hpp"
#include "results/peers/condition_names.hpp"
#include "results/points/kinds/collective_points.hpp"
#include "results/store/repetitions.hpp"

namespace assay::results {

TimingsWriter::TimingsWriter(const Store& store, const WantedPoints& wanted, const std::string& module,
                             const std::string& columns)
    : run_(store, wanted.run_id, std::numeric_limits<std::int64_t>::max()),
      filter_(wanted.filter),
      csv_{.text = columns + ",origin\n"} {
  if (!filter_.empty())
    for (const StoredPoint& point : run_.in_order(filter_, std::numeric_limits<std::int64_t>::max()))
      ids_.insert(point.id);
  std::set<std::string> origins;
  for (const ContextRecord& context : run_.contexts()) {
    if (context.module != module) continue;
    if (!host_.empty() && host_ != context.host)
      throw std::runtime_error(fmt::format("run {} was measured on {} and {}: a fit is of one machine",
                                           run_.stored().run_id, host_, context.host));
    host_ = context.host;
    origins.insert(to_string(context.origin));
  }
  csv_.origin = fmt::format("{}", fmt::join(origins, " and "));
}

std::vector<StoredPoint> TimingsWriter::timings(const char* cases, bool (*is_timing)(const StoredPoint&)) {
  auto points = run_.rows(cases);
  std::erase_if(points, [&](const StoredPoint& point) { return !wants(point); });
  csv_.left_out += static_cast<std::int64_t>(
      std::erase_if(points, [&](const StoredPoint& point) { return !is_timing(point); }));
  return combine_repetitions(std::move(points));
}

void TimingsWriter::add(const StoredPoint& point, const std::string& cells) {
  csv_.text += cells + "," + csv_.origin + "\n";
  csv_.points.push_back({host_, point.case_name, point.key});
  ++csv_.rows;
}

TimingsCsv TimingsWriter::finish(const char* what) {
  if (csv_.rows == 0)
    throw NoTimings(fmt::format("run {} has no timing of {}{}", run_.stored().run_id, what,
                                filter_.empty() ? "" : fmt::format(" that '{}' matches", filter_)));
  return std::move(csv_);
}

bool is_time_of_all_ranks(const PointRecord& record) {
  return find(record.conditions, peers::condition::averaged_over) == nullptr &&
         find(record.conditions, peers::condition::groups_at_once) == nullptr;
}

std::string timing_cell(std::string text) {
  for (char& letter : text)
    if (letter == ',' || letter == '"' || letter == '\n' || letter == '\r') letter = ' ';
  return core::without_formula(text);
}

std::string timing_cell(const Fields& axes) {
  const std::string text = text_of(axes);
  return timing_cell(text.empty() ? text : text.substr(1));
}

std::string csv_times(const StoredPoint& point, double parts) {
  const double us = 1e6 / parts;
  return fmt::format("{:.9g},{:.9g},{:.9g}", us * point.time_s, us * point.lower_s, us * point.upper_s);
}

}  // namespace assay::results
