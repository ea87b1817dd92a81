// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/report/charts/fabric.hpp"
#include "results/report/charts/matmul.hpp"
#include "results/report/charts/pairs.hpp"
#include "results/report/copies.hpp"
#include "results/report/data.hpp"
#include "results/report/html.hpp"
#include "results/report/overlap.hpp"
#include "results/report/page.hpp"
#include "results/report/parts.hpp"
#include "results/report/timeline.hpp"
#include "results/report/verdicts.hpp"
#include "results/show/facts.hpp"
#include "results/show/highlights.hpp"
#include "results/show/link_counters.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

constexpr std::int64_t rows_at_most = 5000;

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
  return fmt::format(
      "<li><span class=\"label\">{}</span><span class=\"value\">{} <span class=\"unit\">{}</span></span>"
      "<span class=\"detail\">{}{}{}</span></li>\n",
      escaped_html(label), escaped_html(number_text(highlight.value)), escaped_html(highlight.unit),
      escaped_html(efficiency), escaped_html(highlight.detail), link);
}

std::string panel(const std::string& title, const std::vector<Highlight>& highlights) {
  if (highlights.empty()) return "";
  std::string html = fmt::format("<div class=\"panel\"><h3>{}</h3>\n<ul>\n", title);
  for (const Highlight& one : highlights)
    html += entry(one.back_end.empty() ? one.label : one.back_end + " " + one.label, one);
  return html + "</ul></div>\n";
}

std::string fabric_panel(const Highlights& highlights) {
  std::string entries;
  const auto add = [&](const std::vector<Highlight>& from, const std::string& what) {
    for (const Highlight& one : from) entries += entry(one.label + " " + what, one);
  };
  add(highlights.rdma_latency, "latency");
  add(highlights.rdma_bandwidth, "bandwidth");
  add(highlights.rdma_rate, "messages");
  if (entries.empty() && highlights.rdma_unclean.empty()) return "";
  const std::string links =
      highlights.rdma_unclean.empty()
          ? ""
          : fmt::format("<p class=\"link\">{}</p>\n", escaped_html(highlights.rdma_unclean));
  return fmt::format("<div class=\"panel\"><h3>RDMA</h3>\n<ul>\n{}</ul>{}</div>\n", entries, links);
}

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
  const std::string ending = run.ending();
  if (bad == 0 && ending == "complete") return "";
  Table table{.title = "", .notes = {}, .columns = {{"status"}, {"case"}, {"point"}, {"reason"}}, .rows = {}};
  for (const StoredPoint& point : run.bad(rows_at_most))
    table.rows.push_back({to_string(point.status), point.case_name, point.key, point.reason});
  if (bad > rows_at_most) table.notes.push_back(fmt::format("The first {} of {}.", rows_at_most, bad));
  std::string lead = fmt::format("{} failed, {} wrong, {} timed out.", run.stored().failed,
                                 run.stored().wrong, run.stored().timeout);
  if (ending != "complete") lead += fmt::format(" The run was {}.", escaped_html(ending));
  return section("problems", "Problems", fmt::format("<p>{}</p>\n{}", lead, html_table(table)));
}

/// What this machine cannot run, by case and reason.
std::string unsupported(const RunPoints& run) {
  Table table{.title = "", .notes = {}, .columns = {}, .rows = {}};
  table.columns = {{"case", "", Column::Kind::word}, {"points", "", Column::Kind::count}, {"reason"}};
  std::map<std::string, std::vector<std::pair<std::string, std::int64_t>>> counts;  // of a case, by reason
  for (const StoredPoint& point : run.not_ok("", run.stored().points())) {
    if (point.status != Status::unsupported) continue;
    auto& reasons = counts[point.case_name];
    const auto known = std::ranges::find(reasons, point.reason, [](const auto& one) { return one.first; });
    if (known == reasons.end())
      reasons.emplace_back(point.reason, 1);
    else
      ++known->second;
  }
  for (const auto& [name, reasons] : counts)
    for (const auto& [reason, count] : reasons) table.rows.push_back({name, count, reason});
  if (table.rows.empty()) return "";
  return section("unsupported", "Not supported by this machine", html_table(table));
}

std::string fabric_bandwidth(const RunPoints& run, const ShowOptions& options) {
  const Table table = show_rdma(run, options);
  if (table.rows.empty()) return "";
  std::string html;
  const auto points = run.rows("rdma.*");
  if (std::ranges::any_of(points, has_bandwidth_curve))
    html = figure(
        "rdma_bandwidth", table.title,
        "Payload over message size, both axes logarithmic where the values span much. Dashed: what the "
        "port's rate, MTU and headers leave for payload, where the device tells its rate.");
  html += numbers("Bandwidth", table);
  return section("rdma", "RDMA bandwidth over message size", html);
}

/// A map where the record tells its flows singly, and the flows.
std::string fabric_pairs(const RunPoints& run, const ShowOptions& options) {
  const Table flows = show_rdma_pairs(run, options);
  if (flows.rows.empty()) return "";
  const std::string map =
      pairs_charts(fabric_points(run, "rdma.*")).empty()
          ? ""
          : figure("rdma_pairs", flows.title,
                   "The row sends, the column receives, all at the same time; GB/s. Red: more than 2 % below "
                   "the median, the "
                   "stronger the farther. A frame: a suspect, below 93 % of the median. A click keeps the "
                   "values of a cell.");
  return section("rdma-pairs", "Every flow among many", map + numbers("Flows that ran together", flows));
}

std::string counters(const RunPoints& run, const ShowOptions& options) {
  const Table table = show_counters(run, options);
  if (table.rows.empty()) return "";
  return section("counters", "Counters of the links around every point", html_table(table));
}

std::string fabric_latency(const RunPoints& run, const ShowOptions& options) {
  const Table table = show_rdma_latency(run, options);
  if (table.rows.empty()) return "";
  std::string html;
  const auto points = run.rows("rdma.*");
  if (std::ranges::any_of(points, has_latency_curve))
    html =
        figure("rdma_latency", table.title,
               "Median over message size; the stroke above it ends at the 99th percentile where there are "
               "samples "
               "enough to tell it.") +
        figure("rdma_times", "How often which latency occurred",
               "Samples of the latency at the smallest size, every one counted: bins of equal ratio, counts "
               "logarithmic.");
  return section("rdma-latency", "RDMA latency over message size", html + numbers("Latency", table));
}

std::string collectives(const RunPoints& run, const ShowOptions& options) {
  const Table points = show_collectives(run, options), winners = show_crossover(run, options);
  if (points.rows.empty()) return "";
  std::string html;
  if (!winners.rows.empty())
    html = chart_figure(
        "crossover", "Winners",
        "Time of the slowest rank over size, both axes logarithmic. Along the axis the winner of each "
        "size: a ring where the intervals of the first two meet. Below, the regret: time of what the "
        "library chose over the best one's.",
        winners);
  return section("collectives", "Collectives: which algorithm wins at which size",
                 html + numbers("Collectives", points));
}

std::string matmul(const RunPoints& run) {
  const auto points = matmul_points(run);
  if (points.empty()) return "";
  const Table table = matmul_table(points);
  const std::string curves =
      matmul_chart(points).at("points").empty()
          ? ""
          : figure("matmul", table.title, "Rate over the size that was swept; upright strokes: intervals.");
  return section("matmul", table.title, curves + numbers("Rates", table));
}

std::string charts(const RunPoints& run) {
  const ShowOptions options{.run = run.stored().run_id, .filter = {}, .limit = rows_at_most};
  std::string html;
  if (const Table table = show_gemm(run, options); !table.rows.empty())
    html += section(
        "gemm", "GEMM efficiency against tensor-parallel degree",
        chart_figure("gemm", "Efficiency",
                     "The block (heavy line) is time-weighted over its layers. Upright strokes: intervals.",
                     table));
  html += matmul(run);
  if (const Table table = show_memory(run, options); !table.rows.empty())
    html += section("bandwidth", "Memory bandwidth",
                    chart_figure("bandwidth", "Bandwidth", "GB/s is 10<sup>9</sup> bytes a second.", table));
  if (const Table table = show_latency(run, options); !table.rows.empty())
    html += section("latency", "Memory latency over footprint",
                    chart_figure("latency", "Latency",
                                 "Dependent loads over a growing footprint; both axes logarithmic.", table));
  html += copies_section(run, options) + fabric_bandwidth(run, options) + fabric_latency(run, options) +
          fabric_pairs(run, options) + counters(run, options) + collectives(run, options) +
          overlap_sections(run);
  return html;
}

std::string samples(const nlohmann::ordered_json& data) {
  if (!report_has_charts() || data.at("samples").empty()) return "";
  return section("samples", "Samples behind the headline numbers",
                 figure("samples", "Samples in the order taken",
                        "Time of each sample in the order taken, as a percentage of the reported quantile; "
                        "the band is its interval. At most 1,000 samples a chart, evenly thinned."));
}

std::string body(const RunPoints& run, const ReportContent& content, const nlohmann::ordered_json& data) {
  const auto machine = machine_of(run);
  std::string notes;
  for (const auto& note : machine_notes(machine))
    notes += fmt::format("<p class=\"note\">{}</p>\n", escaped_html(note));
  std::string html = problems(run) + section("headlines", "What it does", headlines(run));
  html += "<div class=\"pair\">\n" +
          section("node", "This node", html_facts(machine_facts(machine)) + notes) +
          section("run", "This run", html_facts(run_facts(run))) + "</div>\n";
  html += charts(run) + samples(data);
  for (std::size_t i = 0; i < content.tables.size(); ++i)
    html += section(fmt::format("more-{}", i), content.tables[i].title, html_table(content.tables[i]));
  const Table points = show_points(run, {.run = run.stored().run_id, .filter = {}, .limit = rows_at_most});
  return html + unsupported(run) + section("points", "Every point", html_table(points));
}

}  // namespace

std::string report_html(const RunPoints& run, const ReportContent& content) {
  const Facts node = machine_facts(machine_of(run));
  Page page;
  page.heading = node.front().second;
  page.title = "assay: " + page.heading + ", " + run.stored().started;
  page.origin = run.origin();
  for (const auto& [name, value] : node)
    if (name == "processor" || name == "memory" || name == "GPU" || name == "HCA")
      page.hardware.push_back(name == "GPU" || name == "HCA" ? name + ": " + value : value);
  page.summary = fmt::format("{} of {} points ok, started {}", run.stored().ok, run.stored().points(),
                             run.stored().started);
  page.verdict = verdict_summary(content.verdicts);
  page.data = report_data(run);
  page.body =
      verdict_table(content.verdicts) + timeline_section(content.timeline) + body(run, content, page.data);
  if (content.timeline) page.data["timeline"] = timeline_chart(*content.timeline);
  return page_html(page);
}

}  // namespace assay::results
