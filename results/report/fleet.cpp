// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/series/fleet_standing.hpp"
#include "results/report/charts/charts.hpp"
#include "results/report/html.hpp"
#include "results/report/page.hpp"
#include "results/report/verdicts.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

constexpr std::int64_t worst_shown = 50;
constexpr std::size_t lines_shown = 200;

/// Faults and suspects of all runs, the largest loss first.
std::string slow_places(const std::vector<MeasuredFleet>& fleets) {
  Table table{.title = "",
              .columns = {{"level", "", Kind::word},
                          {"place", "", Kind::word},
                          {"point"},
                          {"below its equals", "%", Kind::number},
                          {"runs", "", Kind::count},
                          {"evidence"}},
              .origin = fleets.front().origin};
  std::vector<FleetFinding> all;
  for (const MeasuredFleet& measured : fleets)
    std::ranges::move(judge_fleet(measured.first, measured.again, {}).findings, std::back_inserter(all));
  std::ranges::stable_sort(all, std::greater{}, &FleetFinding::loss);
  for (const FleetFinding& one : all)
    table.rows.push_back({one.level, one.place, one.metric, Number{100 * one.loss},
                          static_cast<std::int64_t>(one.runs),
                          (one.is_fault() ? "" : "suspect: ") + finding_text(one)});
  const std::size_t found = table.rows.size();
  cut_rows(table, lines_shown, "places");
  return section(
      "suspects", fmt::format("Slower than their equals, or suspected of it: {}", found),
      "<p>By the default margins of assay accept. A suspect is not a fault: chance alone makes some in every "
      "fleet, and more runs decide.</p>\n" +
          html_table(table));
}

std::string failures(const std::vector<MeasuredFleet>& fleets) {
  Table failed{.title = "",
               .columns = {{"unit", "", Kind::word}, {"point"}, {"status"}},
               .origin = fleets.front().origin};
  Table missing{.title = "", .columns = {{"what was not measured"}}};
  for (const MeasuredFleet& measured : fleets) {
    for (const FleetIssue& point : measured.failed)
      failed.rows.push_back({point.unit, point.metric, point.reason});
    for (const FleetIssue& unit : measured.missing) missing.rows.push_back({unit.text()});
  }
  if (failed.rows.empty() && missing.rows.empty()) return "";
  std::string html =
      fmt::format("<p>{} points failed, were wrong or hung; of {} units something is missing.</p>\n",
                  failed.rows.size(), missing.rows.size());
  for (auto [table, what] : {std::pair(&failed, "points"), std::pair(&missing, "units")}) {
    cut_rows(*table, lines_shown, what);
    if (!table->rows.empty()) html += html_table(*table);
  }
  return section("problems", "Problems", html);
}

/// For people: "GPU".
std::string level_name(const Fleet& fleet) { return fleet.unit_level == "gpu" ? "GPU" : fleet.unit_level; }

std::string points_text(const std::vector<MeasuredFleet>& fleets) {
  std::string text;
  for (const MeasuredFleet& measured : fleets)
    text += fmt::format("{}{} {}s, {} points each", text.empty() ? "" : "; ", measured.first.units.size(),
                        level_name(measured.first), measured.first.metrics.size());
  return text;
}

std::string body(const std::vector<MeasuredFleet>& fleets, const FleetStanding& standing,
                 const ReportContent& content) {
  const Table hosts = host_table(standing, worst_shown), units = unit_table(standing, worst_shown);
  std::string html = failures(fleets);
  const Table spread = spread_table(standing);
  html +=
      section("spread", "How every point spreads over the fleet",
              figure("spread", spread.title,
                     "Off the median of equal hardware, a line a point: box from 25 to 75 %, heavy stroke "
                     "from 1 to 99 %, thin stroke from the worst unit to the best. Dots: where the worst "
                     "50 units are.") +
                  numbers("Spread", spread));
  return html + section("hosts", hosts.title, html_table(hosts)) +
         section("units", units.title, html_table(units)) + slow_places(fleets) + sections_of(content.tables);
}

}  // namespace

FleetOccasion occasion_of(const Store& store) {
  const StoredRun latest = find_run(store, {});
  const auto runs = whole_runs(store);
  return {runs.back().started, latest.started, static_cast<std::int64_t>(runs.size())};
}

std::string fleet_report_html(const FleetOccasion& occasion, const std::vector<MeasuredFleet>& fleets,
                              const ReportContent& content) {
  const FleetStanding standing = standing_of(fleets);
  Page page;
  page.heading = fmt::format("Fleet of {} hosts", standing.hosts.size());
  page.title = fmt::format("assay: {}, {}", page.heading, occasion.last);
  page.origin = fleets.front().origin;
  page.hardware = {points_text(fleets)};
  page.summary = fmt::format("{} runs, from {} to {}", occasion.runs, occasion.first, occasion.last);
  if (standing.together > 0) page.summary += "; " + together_note(standing.together);
  page.verdict = verdict_summary(content.verdicts);
  page.body =
      verdict_table(content.verdicts) + timeline_section(content.timeline) + body(fleets, standing, content);
  page.data = {{"spread", spread_chart(standing, worst_shown)}};
  if (content.timeline) page.data["timeline"] = timeline_chart(*content.timeline);
  return page_html(page);
}

}  // namespace assay::results
