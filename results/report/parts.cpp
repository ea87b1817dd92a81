// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/parts.hpp"

#include <fmt/format.h>

#include "results/report/html.hpp"
#include "results/report/report.hpp"

namespace assay::results {

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      id, escaped_html(title), content);
}

std::string figure(const std::string& name, const std::string& title, const std::string& caption) {
  if (!report_has_charts()) return "";
  return fmt::format(
      "<figure data-chart=\"{}\"><div class=\"plot\" role=\"img\" aria-label=\"{}\"></div>"
      "<figcaption>{}</figcaption></figure>\n",
      name, escaped_html(title), caption);
}

std::string numbers(const std::string& what, const Table& table) {
  return fmt::format("<details{}><summary>{} as a table ({} rows)</summary>\n{}</details>\n",
                     report_has_charts() ? "" : " open", escaped_html(what), table.rows.size(),
                     html_table(table));
}

}  // namespace assay::results
