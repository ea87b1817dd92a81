// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/report.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/core/in_order.hpp"
#include "results/report/charts/charts.hpp"
#include "results/report/html.hpp"
#include "results/report/page.hpp"
#include "results/report/sections.hpp"
#include "results/report/verdicts.hpp"
#include "results/show/facts.hpp"
#include "results/show/highlights.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

constexpr std::size_t longest_reason = 40;

/// One line of a panel: what, how much, under which conditions.
std::string entry(const std::string& label, const Highlight& highlight) {
  const std::string efficiency =
      highlight.efficiency
          ? fmt::format("{:.1f} % of {}; ", 100 * highlight.efficiency->value, highlight.efficiency_of)
          : "";
  const std::string link =
      highlight.link_class.empty()
          ? ""
          : fmt::format("; <strong class=\"link\">link {}</strong>", highlight.link_class);
  const std::string moving =
      highlight.still_moving.empty()
          ? ""
          : fmt::format("; <strong>{} still moving</strong>", escaped_html(highlight.still_moving));
  return fmt::format(
      "<li><span class=\"label\">{}</span><span class=\"value\">{} <span class=\"unit\">{}</span></span>"
      "<span class=\"detail\">{}{}{}{}</span></li>\n",
      escaped_html(label), escaped_html(number_text(highlight.value)), escaped_html(highlight.unit),
      escaped_html(efficiency), escaped_html(highlight.detail), link, moving);
}

/// `remark`: HTML below the list.
std::string panel(const char* title, const std::vector<Highlight>& highlights,
                  const std::string& remark = "") {
  if (highlights.empty() && remark.empty()) return "";
  std::string html = fmt::format("<div class=\"panel\"><h3>{}</h3>\n<ul>\n", title);
  for (const Highlight& one : highlights)
    html += entry(one.back_end.empty() ? one.label : one.back_end + " " + one.label, one);
  return html + "</ul>" + remark + "</div>\n";
}

std::string fabric_panel(const Highlights& highlights) {
  std::vector<Highlight> all;
  for (const auto& [some, what] :
       {std::pair(&highlights.rdma_latency, " latency"), std::pair(&highlights.rdma_bandwidth, " bandwidth"),
        std::pair(&highlights.rdma_rate, " messages")})
    for (const Highlight& one : *some) {
      all.push_back(one);
      all.back().back_end.clear();
      all.back().label += what;
    }
  return panel("RDMA", all,
               highlights.rdma_unclean.empty()
                   ? ""
                   : fmt::format("<p class=\"link\">{}</p>\n", escaped_html(highlights.rdma_unclean)));
}

/// The few numbers that say what a node does.
std::string headlines(const RunPoints& run) {
  const Highlights highlights = highlights_of(run);
  const std::string html = panel("Matrix products", highlights.gemm) +
                           panel("Memory bandwidth", highlights.bandwidth) +
                           panel("Memory latency", highlights.latency) +
                           panel("Host and GPU copies", highlights.copies) + fabric_panel(highlights);
  if (html.empty())
    return run.stored().ok == 0
               ? "<p class=\"none\">Nothing was measured in this run.</p>\n"
               : "<p class=\"none\">No headline number is of what this run measured: see below.</p>\n";
  return "<div class=\"panels\">\n" + html + "</div>\n";
}

/// Points that should have been measured and were not, or are wrong; "" where there is none.
std::string problems(const RunPoints& run) {
  const std::int64_t bad = run.stored().failed + run.stored().wrong + run.stored().timeout;
  const std::string& ending = run.ending();
  if (bad == 0 && ending == "complete") return "";
  Table table{.title = "", .columns = {{"status"}, {"case"}, {"point"}, {"reason"}}, .origin = run.origin()};
  for (const StoredPoint& point : run.in_order("", rows_at_most, Chosen::bad))
    table.rows.push_back({to_string(point.status), point.case_name, point.key, point.reason});
  cut_to_page(table, "problems", run.stored().run_id, bad);
  std::string lead = fmt::format("{} failed, {} wrong, {} timed out.", run.stored().failed,
                                 run.stored().wrong, run.stored().timeout);
  if (ending != "complete") lead += fmt::format(" The run was {}.", escaped_html(ending));
  return section("problems", "Problems", fmt::format("<p>{}</p>\n{}", lead, html_table(table)));
}

using CountsByReason = core::InOrder<std::string, std::int64_t>;

/// Points that this machine cannot run, by case.
std::map<std::string, CountsByReason> left_out_of(const RunPoints& run) {
  std::map<std::string, CountsByReason> counts;
  if (run.stored().unsupported == 0) return counts;
  for (const StoredPoint& point : run.in_order("", run.stored().points(), Chosen::not_ok))
    if (point.status == Status::unsupported) ++counts[point.case_name][point.reason];
  return counts;
}

std::string unsupported(const std::map<std::string, CountsByReason>& left_out) {
  Table table{.title = "",
              .columns = {{"case", "", Column::Kind::word}, {"points", "", Column::Kind::count}, {"reason"}}};
  for (const auto& [name, reasons] : left_out)
    for (const auto& [reason, count] : reasons) table.rows.push_back({name, count, reason});
  if (table.rows.empty()) return "";
  return section("unsupported", "Not supported by this machine", html_table(table));
}

/// "103 of 112 measured points ok; 72 left out (no GPU), 4 left out (no RDMA adapter)": a point that cannot
/// run here was not measured. A reason too long for a line is in the table of what is not supported.
/// `made`: how the points came about.
std::string points_line(const StoredRun& run, const std::map<std::string, CountsByReason>& left_out,
                        const char* made) {
  CountsByReason by_reason;
  for (const auto& [name, reasons] : left_out)
    for (const auto& [reason, count] : reasons)
      by_reason[reason.size() <= longest_reason ? reason : "not supported"] += count;
  std::string text = fmt::format("{} of {} {} points ok", run.ok, run.points() - run.unsupported, made);
  const char* between = "; ";
  for (const auto& [reason, count] : by_reason)
    text += fmt::format("{}{} left out ({})", std::exchange(between, ", "), count, reason);
  return text;
}

std::string body(const RunPoints& run, const ReportContent& content, const nlohmann::ordered_json& data,
                 const std::map<std::string, CountsByReason>& left_out) {
  const auto machine = machine_of(run);
  std::string notes;
  for (const auto& note : machine_notes(machine)) notes += html_note(note);
  std::string html = problems(run), cuts;
  const std::size_t after_problems = html.size();
  html += section("headlines", "What it does", headlines(run));
  html += "<div class=\"pair\">\n" +
          section("node", "This node", html_facts(machine_facts(machine)) + notes) +
          section("run", "This run", html_facts(run_facts(run))) + "</div>\n";
  for (const Section& one : sections()) html += section_html(one, run, data);
  for (const std::string& cut : run.cut_short())
    cuts += html_note("Charts and tables are made of " + cut + ".");
  html.insert(after_problems, cuts);
  html += reliability_section(content.reliability);
  html += sections_of(content.tables);
  const Table points = show_points(run, {.run = run.stored().run_id, .filter = {}, .limit = rows_at_most});
  return html + unsupported(left_out) + section("points", "Every point", html_table(points));
}

}  // namespace

std::string report_html(const RunPoints& run, const ReportContent& content) {
  const Facts node = machine_facts(machine_of(run));
  Page page;
  page.heading = node.front().second;
  page.title = "assay: " + page.heading + ", " + run.stored().started;
  page.origin = run.origin();
  for (const auto& [name, value] : node)
    if (name == "fabric" || name == "processor" || name == "memory" || name == "GPU" || name == "HCA")
      page.hardware.push_back(name == "GPU" || name == "HCA" ? name + ": " + value : value);
  const auto left_out = left_out_of(run);
  page.summary =
      fmt::format("{}; started {}",
                  points_line(run.stored(), left_out, run.origin() == "simulated" ? "simulated" : "measured"),
                  run.stored().started);
  page.verdict = verdict_summary(content.verdicts);
  page.data = report_data(run);
  page.body = verdict_table(content.verdicts) + timeline_section(content.timeline) +
              body(run, content, page.data, left_out);
  if (content.timeline) page.data["timeline"] = timeline_chart(*content.timeline);
  if (content.reliability) page.data["reliability"] = reliability_chart(*content.reliability);
  return page_html(page);
}

}  // namespace assay::results
