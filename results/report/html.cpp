// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/html.hpp"

#include <fmt/format.h>

#include "harness/core/text/json_text.hpp"
#include "results/report/report.hpp"

namespace assay::results {
namespace {

std::string header_html(const Column& column) {
  const std::string unit =
      column.unit.empty() ? "" : fmt::format(" <span class=\"unit\">{}</span>", escaped_html(column.unit));
  return escaped_html(column.name) + unit;
}

const char* class_of(const Column& column) {
  return column.kind == Column::Kind::text || column.kind == Column::Kind::word ? "word" : "number";
}

/// The status of a row, where its table has such a column ("failed: no memory" is failed), or the class of
/// its link.
std::string status_of(const Table& table, const std::vector<Cell>& row) {
  for (std::size_t i = 0; i < row.size(); ++i)
    if ((table.columns[i].name == "status" || table.columns[i].name == "class") &&
        std::holds_alternative<std::string>(row[i])) {
      const std::string& text = std::get<std::string>(row[i]);
      return text.substr(0, text.find(':'));
    }
  return "";
}

}  // namespace

std::string origin_data(const std::string& origin) {
  return origin.empty() ? "" : fmt::format(" data-origin=\"{}\"", escaped_html(origin));
}

std::string script_json(const nlohmann::ordered_json& json) {
  const std::string text = core::json_text(json);
  return replaced(text, {{'<', "\\u003c"}});
}

std::string html_table(const Table& whole) {
  const Table table = folded(whole);
  if (table.rows.empty()) return "<p class=\"none\">None.</p>\n";
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table, scrolls\"><table{}>\n"
      "<thead><tr>",
      origin_data(table.origin));
  for (const Column& column : table.columns)
    html += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", class_of(column), header_html(column));
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    const auto& row = table.rows[place];
    const std::string status = status_of(whole, whole.rows[place]);  // its column may be folded away
    html += status.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", escaped_html(status));
    for (std::size_t i = 0; i < row.size(); ++i)
      html += fmt::format("<td class=\"{}\">{}</td>", class_of(table.columns[i]),
                          escaped_html(cell_text(row[i], table.columns[i].kind)));
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  for (const auto& note : table.notes) html += html_note(note);
  return html;
}

std::string html_facts(const Facts& facts) {
  std::string html = "<dl>\n";
  for (const auto& [name, value] : facts)
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped_html(name), escaped_html(value));
  return html + "</dl>\n";
}

std::string html_note(const std::string& text) {
  return fmt::format("<p class=\"note\">{}</p>\n", escaped_html(text));
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      id, escaped_html(title), content);
}

std::string sections_of(const std::vector<Table>& tables) {
  std::string html;
  for (std::size_t i = 0; i < tables.size(); ++i)
    html += section(fmt::format("more-{}", i), tables[i].title, html_table(tables[i]));
  return html;
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
