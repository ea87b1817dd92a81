// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "results/points/collective_points.hpp"

namespace assay::results {

std::string one_host(const Store& store, const StoredRun& run, const std::string& module) {
  std::string host;
  for (const ContextRecord& context : contexts_of(store, run)) {
    if (context.module != module) continue;
    if (!host.empty() && host != context.host)
      throw std::runtime_error(fmt::format("run {} was measured on {} and {}: a fit is of one machine",
                                           run.run_id, host, context.host));
    host = context.host;
  }
  return host;
}

std::string csv_cell(std::string text) {
  for (char& letter : text)
    if (letter == ',' || letter == '"' || letter == '\n') letter = ' ';
  return text;
}

std::string csv_cell(const Fields& axes) {
  const std::string text = text_of(axes);
  return csv_cell(text.empty() ? text : text.substr(1));
}

std::string csv_times(const StoredPoint& point) {
  return fmt::format("{:.9g},{:.9g},{:.9g}", 1e6 * point.time_s, 1e6 * point.lower_s, 1e6 * point.upper_s);
}

void add_row(TimingsCsv& csv, const std::string& row, const StoredPoint& point, const std::string& host) {
  csv.text += row;
  csv.points.push_back({host, point.case_name, point.key});
  ++csv.rows;
}

void finish_rows(TimingsCsv& csv, const Store& store, const StoredRun& run, const std::string& module,
                 const std::string& what) {
  if (csv.rows == 0) throw NoTimings(fmt::format("run {} has no timing of {}", run.run_id, what));
  std::set<std::string> origins;
  for (const ContextRecord& context : contexts_of(store, run))
    if (context.module == module) origins.insert(to_string(context.origin));
  csv.origin = fmt::format("{}", fmt::join(origins, " and "));
  std::istringstream lines(std::exchange(csv.text, ""));
  std::string line;
  for (const char* cell = "origin"; std::getline(lines, line); cell = csv.origin.c_str())
    csv.text += line + "," + cell + "\n";
}

}  // namespace assay::results
