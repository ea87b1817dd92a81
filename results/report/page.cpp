// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/page.hpp"

#include <fmt/format.h>

#include <map>

#include "results/report/assets.hpp"
#include "results/report/html.hpp"
#include "results/report/report.hpp"

namespace assay::results {
namespace {

/// Fills the marks of the shell in one pass: what is filled in is never looked at again.
std::string fill(std::string_view shell, const std::map<std::string, std::string>& values) {
  std::string page;
  while (true) {
    const auto open = shell.find("{{"), close = shell.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return page.append(shell);
    page.append(shell.substr(0, open));
    page.append(values.at(std::string(shell.substr(open + 2, close - open - 2))));
    shell.remove_prefix(close + 2);
  }
}

std::string origin_mark(const std::string& origin) {
  return fmt::format("<span class=\"origin {}\">{}</span>", origin == "measured" ? "measured" : "other",
                     escaped_html(origin));
}

std::string scripts(const nlohmann::ordered_json& data) {
  if (!report_has_charts()) return "";
  return fmt::format("<script type=\"application/json\" id=\"report-data\">{}</script>\n<script>{}</script>",
                     script_json(data), assets::charts_js);
}

std::string remark() {
  return report_has_charts()
             ? "<noscript><p class=\"note\">Charts need JavaScript; the tables hold the same "
               "numbers.</p></noscript>"
             : "<p class=\"note\">This build of assay has no charts: node and npm were not there "
               "when it was built. The tables hold the same numbers.</p>";
}

}  // namespace

bool report_has_charts() { return !assets::charts_js.empty(); }

std::string page_html(const Page& page) {
  std::string hardware;
  for (const std::string& line : page.hardware)
    hardware += fmt::format("<p class=\"hardware\">{}</p>\n", escaped_html(line));
  return fill(assets::shell_html, {{"title", escaped_html(page.title)},
                                   {"style", std::string(assets::style_css)},
                                   {"heading", escaped_html(page.heading)},
                                   {"origin", origin_mark(page.origin)},
                                   {"summary", escaped_html(page.summary)},
                                   {"hardware", hardware},
                                   {"remark", remark()},
                                   {"verdict", page.verdict},
                                   {"body", page.body},
                                   {"scripts", scripts(page.data)}});
}

}  // namespace assay::results
