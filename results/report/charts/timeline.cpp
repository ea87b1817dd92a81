// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A burn-in over its time: rounds and modules, checks and findings, clock, temperature and power.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "results/report/charts/charts.hpp"
#include "results/report/html.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

constexpr std::array drawn_kinds{"temperature_c", "power_w", "sm_clock_mhz"};
constexpr std::size_t stretches = 150, findings_shown = 200;

double end_of(const Timeline& timeline) {
  double end_s = 0;
  for (const TimelineEntry& entry : timeline.entries) end_s = std::max(end_s, entry.at_s);
  return end_s;
}

/// Rounds and modules, from "began" to the entry that says how they ended.
Json spans_of(const Timeline& timeline) {
  Json spans = Json::array();
  const Answer cut{entry_word::cut};
  std::map<std::pair<std::string, std::string>, double> began;
  const auto add = [&](const std::pair<std::string, std::string>& which, double from_s, double to_s,
                       const Answer& how) {
    const bool is_round = which.first == "round";
    spans.push_back({{"lane", is_round ? "rounds" : which.second},
                     {"label", which.second},
                     {"how", how.word},
                     {"text", how.sentence()},
                     {"from_s", from_s},
                     {"to_s", to_s}});
  };
  for (const TimelineEntry& entry : timeline.entries) {
    if (entry.kind != "round" && entry.kind != "module") continue;
    const std::pair which(entry.kind, entry.unit);
    const bool begins = entry.word() == entry_word::began;
    // A round that a kill cut short continues without a new beginning; where it began again, the old one was
    // cut.
    if (const auto open = began.extract(which))
      add(which, open.mapped(), entry.at_s, begins ? cut : entry.answer());
    else if (!begins)
      add(which, entry.at_s, entry.at_s, entry.answer());
    if (begins) began.emplace(which, entry.at_s);
  }
  for (const auto& [which, from_s] : began) add(which, from_s, end_of(timeline), cut);
  return spans;
}

Json mark_of(const TimelineEntry& entry) {
  const bool is_check = entry.kind == "check";
  return {{"lane", is_check ? "checks" : "findings"},
          {"label", is_check ? entry.text("when") : entry.text("check") + " " + entry.unit},
          {"status", entry.word()},
          {"at_s", entry.at_s},
          {"text", entry.text("evidence")}};
}

Json marks_of(const Timeline& timeline) {
  Json marks = Json::array();
  for (const TimelineEntry& entry : timeline.entries)
    if (entry.kind == "check" || entry.kind == "finding") marks.push_back(mark_of(entry));
  return marks;
}

using Points = std::vector<std::pair<double, double>>;  // seconds, value

/// The lowest and the highest of each stretch, in their order: a short peak stays.
Points thinned(const Points& points) {
  if (points.size() <= 2 * stretches) return points;
  Points some;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto at = [&](std::size_t part) {
      return points.begin() + static_cast<std::ptrdiff_t>(part * points.size() / stretches);
    };
    auto [low, high] = std::minmax_element(
        at(i), at(i + 1), [](const auto& one, const auto& other) { return one.second < other.second; });
    if (high < low) std::swap(low, high);
    some.push_back(*low);
    if (high != low) some.push_back(*high);
  }
  return some;
}

Json curves_of(const Timeline& timeline) {
  std::map<std::pair<std::size_t, std::string>, Points> readings;
  for (const TimelineEntry& entry : timeline.entries) {
    const auto* const kind = std::ranges::find(drawn_kinds, entry.kind);
    if (kind != drawn_kinds.end() && entry.number())
      readings[{static_cast<std::size_t>(kind - drawn_kinds.begin()), entry.unit}].emplace_back(
          entry.at_s, *entry.number());
  }
  Json curves = Json::array();
  for (const auto& [which, points] : readings)
    curves.push_back(
        {{"kind", drawn_kinds[which.first]}, {"unit", which.second}, {"points", thinned(points)}});
  return curves;
}

Table findings_table(const Timeline& timeline) {
  Table table{.title = "Findings of the burn-in",
              .columns = {{"at", "s", Kind::number},
                          {"status", "", Kind::word},
                          {"unit", "", Kind::word},
                          {"check", "", Kind::word},
                          {"during", "", Kind::word},
                          {"evidence"}}};
  for (const TimelineEntry& entry : timeline.entries) {
    if (entry.kind != "finding") continue;
    table.rows.push_back(
        {Number{entry.at_s}, entry.word(), entry.unit, entry.text("check"),
         fmt::format("round {} {}, {}", entry.count("round"), entry.text("round_kind"), entry.text("when")),
         entry.text("evidence")});
  }
  cut_rows(table, findings_shown, "findings");
  return table;
}

/// "temperature_c of GPU 0: unknown: ..." once each: an unknown reading is not a zero.
std::string unknown_readings(const Timeline& timeline) {
  std::set<std::string> lines;
  for (const TimelineEntry& entry : timeline.entries)
    if (entry.word() == entry_word::unknown)
      lines.insert(fmt::format("{} of {}: {}", entry.kind, entry.unit, entry.answer().sentence()));
  std::string html;
  for (const std::string& line : lines) html += html_note(line);
  return html;
}

std::string sentence(const Timeline& timeline) {
  std::size_t rounds = 0, checks = 0, sessions = 0;
  for (const TimelineEntry& entry : timeline.entries) {
    rounds += entry.kind == "round" && entry.word() == entry_word::ended ? 1 : 0;
    checks += entry.kind == "check" ? 1 : 0;
    sessions += entry.kind == "session" ? 1 : 0;
  }
  const std::size_t bad = timeline.damaged.size() + timeline.torn.size();
  const std::string damaged = bad > 0 ? fmt::format(" {} damaged lines were skipped.", bad) : "";
  return fmt::format("<p>{} rounds ended and {} checks were made in {:.4g} h, in {} session{}.{}</p>\n",
                     rounds, checks, end_of(timeline) / 3600, sessions, sessions == 1 ? "" : "s", damaged);
}

}  // namespace

Json timeline_chart(const Timeline& timeline) {
  return {{"spans", spans_of(timeline)}, {"marks", marks_of(timeline)}, {"curves", curves_of(timeline)}};
}

std::string timeline_section(const std::optional<Timeline>& timeline) {
  if (!timeline) return "";
  const Table findings = findings_table(*timeline);
  std::string html = sentence(*timeline);
  if (!timeline->entries.empty())
    html += figure("timeline", "Timeline of the burn-in",
                   "Time of the burn-in; what lies between a kill and its resume is left out. Above: rounds, "
                   "modules, checks and findings; below: what the units said of themselves.");
  if (!findings.rows.empty()) html += numbers("Findings", findings);
  return section("timeline", "Timeline of the burn-in", html + unknown_readings(*timeline));
}

}  // namespace assay::results
