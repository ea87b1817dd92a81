// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

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
#include "results/store/database.hpp"
#include "results/store/run_doubts.hpp"

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

std::string headlines(const Store& store, const StoredRun& run) {
  const Highlights highlights = highlights_of(store, run);
  const std::string html = panel("Matrix products", highlights.gemm) +
                           panel("Memory bandwidth", highlights.bandwidth) +
                           panel("Memory latency", highlights.latency) +
                           panel("Host and GPU copies", highlights.copies) + fabric_panel(highlights);
  if (html.empty())
    return run.ok == 0
               ? "<p class=\"none\">Nothing was measured in this run.</p>\n"
               : "<p class=\"none\">No headline number is of what this run measured: see below.</p>\n";
  return "<div class=\"panels\">\n" + html + "</div>\n";
}

/// Points that should have been measured and were not, or are wrong; "" where there is none.
std::string problems(const Store& store, const StoredRun& run) {
  const std::int64_t bad = run.failed + run.wrong + run.timeout;
  const std::string ending = ending_of(store, run);
  if (bad == 0 && ending == "complete") return "";
  Table table{.title = "", .notes = {}, .columns = {{"status"}, {"case"}, {"point"}, {"reason"}}, .rows = {}};
  for (const StoredPoint& point : points_bad(store, run, rows_at_most))
    table.rows.push_back({to_string(point.status), point.case_name, point.key, point.reason});
  if (bad > rows_at_most) table.notes.push_back(fmt::format("The first {} of {}.", rows_at_most, bad));
  std::string lead = fmt::format("{} failed, {} wrong, {} timed out.", run.failed, run.wrong, run.timeout);
  if (ending != "complete") lead += fmt::format(" The run was {}.", escaped_html(ending));
  return section("problems", "Problems", fmt::format("<p>{}</p>\n{}", lead, html_table(table)));
}

/// What this machine cannot run, by case and reason.
std::string unsupported(const Store& store, const StoredRun& run) {
  Table table{.title = "", .notes = {}, .columns = {}, .rows = {}};
  table.columns = {{"case", "", Column::Kind::word}, {"points", "", Column::Kind::count}, {"reason"}};
  Statement query = store.database().prepare(
      "SELECT c.name, count(*), p.reason FROM points p JOIN cases c ON c.id = p.case_id WHERE p.run = ? AND "
      "p.status = 1 GROUP BY c.name, p.reason ORDER BY c.name, min(p.id)");
  query.bind(run.id);
  while (query.step()) table.rows.push_back({query.text(0), query.integer(1), query.text(2)});
  if (table.rows.empty()) return "";
  return section("unsupported", "Not supported by this machine", html_table(table));
}

std::string fabric_bandwidth(const Store& store, const StoredRun& run, const ShowOptions& options) {
  const Table table = show_rdma(store, options);
  if (table.rows.empty()) return "";
  std::string html;
  const auto points = points_of_cases(store, run, "rdma.*", summary_point_limit);
  if (std::ranges::any_of(points, has_bandwidth_curve))
    html = figure(
        "rdma_bandwidth", table.title,
        "Payload over message size, both axes logarithmic where the values span much. Dashed: what the "
        "port's rate, MTU and headers leave for payload, where the device tells its rate.");
  html += numbers("Bandwidth", table);
  return section("rdma", "RDMA bandwidth over message size", html);
}

/// A map where the record tells its flows singly, and the flows.
std::string fabric_pairs(const Store& store, const StoredRun& run, const ShowOptions& options) {
  const Table flows = show_rdma_pairs(store, options);
  if (flows.rows.empty()) return "";
  const std::string map =
      pairs_charts(fabric_points(store, run, "rdma.*")).empty()
          ? ""
          : figure("rdma_pairs", flows.title,
                   "The row sends, the column receives, all at the same time; GB/s. Red: more than 2 % below "
                   "the median, the "
                   "stronger the farther. A frame: a suspect, below 93 % of the median. A click keeps the "
                   "values of a cell.");
  return section("rdma-pairs", "Every flow among many", map + numbers("Flows that ran together", flows));
}

std::string counters(const Store& store, const ShowOptions& options) {
  const Table table = show_counters(store, options);
  if (table.rows.empty()) return "";
  return section("counters", "Counters of the links around every point", html_table(table));
}

std::string fabric_latency(const Store& store, const StoredRun& run, const ShowOptions& options) {
  const Table table = show_rdma_latency(store, options);
  if (table.rows.empty()) return "";
  std::string html;
  const auto points = points_of_cases(store, run, "rdma.*", summary_point_limit);
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

std::string collectives(const Store& store, const ShowOptions& options) {
  const Table points = show_collectives(store, options), winners = show_crossover(store, options);
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

std::string matmul(const Store& store, const StoredRun& run) {
  const auto points = matmul_points(store, run);
  if (points.empty()) return "";
  const Table table = matmul_table(points);
  const std::string curves =
      matmul_chart(points).at("points").empty()
          ? ""
          : figure("matmul", table.title, "Rate over the size that was swept; upright strokes: intervals.");
  return section("matmul", table.title, curves + numbers("Rates", table));
}

std::string charts(const Store& store, const StoredRun& run) {
  const ShowOptions options{.run = run.run_id, .filter = {}, .limit = rows_at_most};
  std::string html;
  if (const Table table = show_gemm(store, options); !table.rows.empty())
    html += section(
        "gemm", "GEMM efficiency against tensor-parallel degree",
        chart_figure("gemm", "Efficiency",
                     "The block (heavy line) is time-weighted over its layers. Upright strokes: intervals.",
                     table));
  html += matmul(store, run);
  if (const Table table = show_memory(store, options); !table.rows.empty())
    html += section("bandwidth", "Memory bandwidth",
                    chart_figure("bandwidth", "Bandwidth", "GB/s is 10<sup>9</sup> bytes a second.", table));
  if (const Table table = show_latency(store, options); !table.rows.empty())
    html += section("latency", "Memory latency over footprint",
                    chart_figure("latency", "Latency",
                                 "Dependent loads over a growing footprint; both axes logarithmic.", table));
  html += copies_section(store, run, options) + fabric_bandwidth(store, run, options) +
          fabric_latency(store, run, options) + fabric_pairs(store, run, options) + counters(store, options) +
          collectives(store, options) + overlap_sections(store, run);
  return html;
}

std::string samples(const nlohmann::ordered_json& data) {
  if (!report_has_charts() || data.at("samples").empty()) return "";
  return section("samples", "Samples behind the headline numbers",
                 figure("samples", "Samples in the order taken",
                        "Time of each sample in the order taken, as a percentage of the reported quantile; "
                        "the band is its interval. At most 1,000 samples a chart, evenly thinned."));
}

std::string body(const Store& store, const StoredRun& run, const ReportContent& content,
                 const nlohmann::ordered_json& data) {
  const auto machine = machine_of(store, run);
  std::string notes;
  for (const auto& note : machine_notes(machine))
    notes += fmt::format("<p class=\"note\">{}</p>\n", escaped_html(note));
  std::string html = problems(store, run) + section("headlines", "What it does", headlines(store, run));
  html += "<div class=\"pair\">\n" +
          section("node", "This node", html_facts(machine_facts(machine)) + notes) +
          section("run", "This run", html_facts(run_facts(store, run))) + "</div>\n";
  html += charts(store, run) + samples(data);
  for (std::size_t i = 0; i < content.tables.size(); ++i)
    html += section(fmt::format("more-{}", i), content.tables[i].title, html_table(content.tables[i]));
  const Table points = show_points(store, {.run = run.run_id, .filter = {}, .limit = rows_at_most});
  return html + unsupported(store, run) + section("points", "Every point", html_table(points));
}

}  // namespace

std::string report_html(const Store& store, const std::optional<std::string>& run_id,
                        const ReportContent& content) {
  const StoredRun run = find_run(store, run_id);
  const Facts node = machine_facts(machine_of(store, run));
  Page page;
  page.heading = node.front().second;
  page.title = "assay: " + page.heading + ", " + run.started;
  page.origin = origin_of(store, run);
  for (const auto& [name, value] : node)
    if (name == "processor" || name == "memory" || name == "GPU" || name == "HCA")
      page.hardware.push_back(name == "GPU" || name == "HCA" ? name + ": " + value : value);
  page.summary = fmt::format("{} of {} points ok, started {}", run.ok, run.points(), run.started);
  page.verdict = verdict_summary(content.verdicts);
  page.data = report_data(store, run);
  page.body = verdict_table(content.verdicts) + timeline_section(content.timeline) +
              body(store, run, content, page.data);
  if (content.timeline) page.data["timeline"] = timeline_chart(*content.timeline);
  return page_html(page);
}

}  // namespace assay::results
