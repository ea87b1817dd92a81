// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/headlines.hpp"

#include <fmt/format.h>

#include "results/report/html.hpp"
#include "results/show/highlights.hpp"

namespace assay::results {
namespace {

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

}  // namespace

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

}  // namespace assay::results
