// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "harness/core/in_order.hpp"
#include "results/report/html.hpp"

namespace assay::results {
namespace {

constexpr std::size_t units_shown = 5, rows_shown = 1000, actions_shown = 6;

/// For people: "NOT RUN".
std::string words(Verdict verdict) {
  std::string text(to_string(verdict));
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// The style's class: "not-run".
std::string class_of(Verdict verdict) {
  std::string text(to_string(verdict));
  std::ranges::transform(text, text.begin(),
                         [](char byte) { return byte == '_' ? '-' : static_cast<char>(byte | 0x20); });
  return text;
}

std::string badge(const VerdictRow& row) {
  if (row.excused) return "<span class=\"badge excused\">excused</span>";
  return fmt::format("<span class=\"badge {}\">{}</span>", class_of(row.verdict), words(row.verdict));
}

std::string unit_of(const VerdictRow& row) { return row.unit.empty() ? "all" : row.unit; }

using RowList = std::vector<VerdictRow>;

/// All rows as one; its command and subject are of no use.
Verdicts joined(const std::vector<Verdicts>& parts) {
  Verdicts all;
  for (const Verdicts& part : parts) append(all, part);
  return all;
}

std::size_t count(const RowList& all, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [&](const VerdictRow& row) { return !row.excused && row.verdict == verdict; }));
}

std::string counts(const RowList& all) {
  std::string html = "<ul class=\"counts\">";
  for (const Verdict verdict : every_verdict | std::views::reverse)
    html += fmt::format("<li class=\"{}{}\"><strong>{}</strong> {}</li>", class_of(verdict),
                        count(all, verdict) == 0 ? " zero" : "", count(all, verdict), words(verdict));
  const auto excused = std::ranges::count_if(all, &VerdictRow::excused);
  if (excused > 0) html += fmt::format("<li><strong>{}</strong> excused</li>", excused);
  return html + "</ul>\n";
}

bool is_bad(const VerdictRow& row) { return !row.excused && row.verdict != Verdict::pass; }

/// Keys in the order of their first row, each with its rows.
using RowsByKey = core::InOrder<std::string, std::vector<const VerdictRow*>>;

template <class KeyOf>
RowsByKey bad_rows_by(const RowList& all, KeyOf key_of) {
  RowsByKey groups;
  for (const VerdictRow& row : all)
    if (const std::string key = is_bad(row) ? key_of(row) : ""; !key.empty()) groups[key].push_back(&row);
  return groups;
}

std::string and_more(std::size_t all, std::size_t shown, const char* what) {
  return all > shown ? fmt::format("<li class=\"more\">and {} more {}: see the table</li>", all - shown, what)
                     : "";
}

/// How many units there are of each kind.
std::map<std::string, std::size_t> kinds_of(const RowsByKey& units) {
  std::map<std::string, std::size_t> kinds;
  for (const auto& [unit, rows] : units) ++kinds[rows.front()->kind];
  return kinds;
}

/// The first of every kind: a fault of a switch is shown with those of its hundreds of GPUs.
std::vector<std::vector<const VerdictRow*>> first_of_kinds(const RowsByKey& units) {
  const auto kinds = kinds_of(units);
  const std::size_t of_a_kind = (units_shown + kinds.size() - 1) / std::max<std::size_t>(1, kinds.size());
  std::map<std::string, std::size_t> taken;
  std::vector<std::vector<const VerdictRow*>> first;
  for (const auto& [unit, rows] : units)
    if (first.size() < units_shown && ++taken[rows.front()->kind] <= of_a_kind) first.push_back(rows);
  return first;
}

/// "by kind of unit: 2 switch, 64 gpu": the kinds with the fewest first, where there are several.
std::string kinds_text(const RowsByKey& units) {
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [kind, times] : kinds_of(units))
    if (!kind.empty()) sorted.emplace_back(times, kind);
  if (sorted.size() < 2) return "";
  std::ranges::sort(sorted);
  std::string text;
  for (const auto& [times, kind] : sorted)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", times, kind);
  return fmt::format("<li class=\"kinds\">by kind of unit: {}</li>\n", escaped_html(text));
}

std::string worst_units(const RowList& all) {
  const RowsByKey units = bad_rows_by(all, unit_of);
  if (units.empty()) return "";
  std::string html = "<div><h3>Worst units</h3>\n<ul>" + kinds_text(units);
  const auto first = first_of_kinds(units);
  for (const auto& rows : first) {
    const VerdictRow* row = rows.front();
    const std::size_t more = rows.size() - 1;
    html += fmt::format("<li>{} <strong>{}</strong> {}{}</li>\n", badge(*row), escaped_html(unit_of(*row)),
                        escaped_html(row->because), more > 0 ? fmt::format(" (and {} more)", more) : "");
  }
  return html + and_more(units.size(), first.size(), "units") + "</ul></div>\n";
}

/// "h3/gpu2, h7 and 3 more"
std::string units_text(const std::vector<const VerdictRow*>& rows) {
  std::vector<std::string> units;
  for (const VerdictRow* row : rows)
    if (std::ranges::find(units, unit_of(*row)) == units.end()) units.push_back(unit_of(*row));
  const std::size_t shown = std::min(units_shown, units.size());
  const std::string text =
      fmt::format("{}", fmt::join(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return units.size() > shown ? fmt::format("{} and {} more", text, units.size() - shown) : text;
}

std::string what_to_do(const RowList& all) {
  const RowsByKey actions = bad_rows_by(
      all, [](const VerdictRow& row) { return std::string(to_string(row.action.value_or(Action::none))); });
  if (actions.empty()) return "";
  std::string html = "<div><h3>What to do</h3>\n<ul>";
  for (const auto& [action, rows] : actions | std::views::take(actions_shown))
    html += fmt::format("<li><strong>{}</strong>: {}</li>\n",
                        action == "none" ? "see the evidence" : escaped_html(action),
                        escaped_html(units_text(rows)));
  return html + and_more(actions.size(), actions_shown, "actions") + "</ul></div>\n";
}

std::string sentence(const Verdicts& all) {
  switch (all.verdict) {
    case Verdict::pass:
      return "Everything that was judged is within its limits.";
    case Verdict::degraded:
      return "Fit for service, with something to be watched.";
    case Verdict::fail:
      return "Not fit for service until what fails is fixed and judged again.";
    case Verdict::inconclusive:
      return "Nothing is known to be bad, and the evidence is not enough to say that all is good.";
    case Verdict::not_run:
      break;
  }
  return "Something was not looked at: this is not a pass.";
}

/// One line a judge: what it looked at and what it found.
std::string judges(const std::vector<Verdicts>& parts) {
  std::string html;
  for (const Verdicts& part : parts) {
    html += fmt::format("<p class=\"judge\"><strong>assay {}</strong> {}: {}", escaped_html(part.command),
                        escaped_html(part.subject), words(part.verdict));
    if (part.expected_false_flags)
      html += fmt::format("; a sound subject of this size would have {:.2g} false flags",
                          *part.expected_false_flags);
    html += "</p>\n";
    for (const std::string& note : part.notes) html += html_note(note);
  }
  return html;
}

std::string fact(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped_html(text));
}

std::string value_text(const VerdictRow& row) {
  if (!row.value) return "";
  return number_text(*row.value) + (row.value_unit.empty() ? "" : " " + row.value_unit);
}

/// "0.990 to 1.010 GB/s"
std::string interval_text(const VerdictRow& row) {
  if (!row.value || !row.value->lower || !row.value->upper) return "";
  return fmt::format("{:.4g} to {:.4g}{}", *row.value->lower, *row.value->upper,
                     row.value_unit.empty() ? "" : " " + row.value_unit);
}

std::string evidence(const VerdictRow& row) {
  std::string lines;
  for (const std::string& line : row.evidence) lines += fmt::format("<li>{}</li>", escaped_html(line));
  return "<dl>" + fact("value", value_text(row)) + fact("interval", interval_text(row)) +
         fact("measurements", row.n > 0 ? std::to_string(row.n) : "") + fact("limit", limit_text(row)) +
         fact("limit from", row.limit_source) +
         fact("smallest defect seen",
              row.smallest_defect ? fmt::format("{:.3g} %", 100 * *row.smallest_defect) : std::string()) +
         fact("origin", row.origin) + fact("means", row.meaning) +
         fact("action", std::string(to_string(row.action))) + "</dl>" +
         (lines.empty() ? "" : "<ul class=\"lines\">" + lines + "</ul>");
}

/// "verdict-node-b-gpu3-memory.cuda.read"; a further row of the same gets "-2". Stays the same as long as
/// the unit and what was looked at do, so that a link to it can be kept.
class VerdictAnchors {
 public:
  std::string next(const VerdictRow& row, const std::string& command) {
    std::string anchor = "verdict-" + command + unit_of(row) + "-" + row.metric;
    std::ranges::replace_if(anchor, [](char byte) { return !is_plain(byte); }, '-');
    const int place = ++taken_[anchor];
    return place == 1 ? anchor : fmt::format("{}-{}", anchor, place);
  }

 private:
  static bool is_plain(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '.' || byte == '_' || byte == '-';
  }
  std::map<std::string, int> taken_;
};

/// "assay accept --format csv, assay check --format csv"
std::string commands_for_all(const std::vector<Verdicts>& parts) {
  std::set<std::string> commands;
  for (const Verdicts& part : parts) commands.insert(fmt::format("assay {} --format csv", part.command));
  return fmt::format("{}", fmt::join(commands, ", "));
}

std::string table_row(const VerdictRow& row, const std::string& command, const std::string& anchor) {
  return fmt::format(
      "<tr id=\"{0}\" data-verdict=\"{1}\"{10}><td><a href=\"#{0}\" title=\"link to this "
      "verdict\">{2}</a></td>"
      "<td class=\"unit-name\">{3}</td><td class=\"what\">{4}</td>"
      "<td class=\"number\">{5}</td><td class=\"limit\">{6}</td><td "
      "class=\"why\"><details><summary>{7}</summary>"
      "<div class=\"evidence\">{8}</div></details></td><td>{9}</td></tr>\n",
      anchor, word_of(row), badge(row), escaped_html(unit_of(row)), escaped_html(command + row.metric),
      escaped_html(value_text(row)), escaped_html(limit_text(row)),
      escaped_html(row.because.empty() ? "evidence" : row.because), evidence(row),
      escaped_html(std::string(to_string(row.action))), origin_data(row.origin));
}

}  // namespace

std::string verdict_summary(const std::vector<Verdicts>& parts) {
  if (parts.empty())
    return "<section id=\"verdict\" class=\"not-judged\" aria-label=\"verdict\">\n<p class=\"verdict-word\">"
           "NOT JUDGED</p>\n<p>Nothing here was compared with a limit, its equals or "
           "another run: a number on this page does not say that it is good. assay check, accept and compare "
           "judge; assay report --verdicts shows what they said.</p>\n</section>\n";
  const Verdicts all = joined(parts);
  const RowList rows = all.rows.unpacked();
  return fmt::format(
      "<section id=\"verdict\" class=\"{}\" aria-label=\"verdict\">\n<p class=\"verdict-word\">{}</p>\n"
      "<p>{}</p>\n{}<div class=\"pair\">\n{}{}</div>\n{}</section>\n",
      class_of(all.verdict), words(all.verdict), sentence(all), counts(rows), worst_units(rows),
      what_to_do(rows), judges(parts));
}

std::string verdict_table(const std::vector<Verdicts>& parts) {
  if (parts.empty()) return "";
  std::vector<std::pair<VerdictRow, std::string>> rows;
  for (const Verdicts& part : parts)
    for (const VerdictRow& row : part.rows)
      rows.emplace_back(row, parts.size() > 1 ? part.command + ": " : "");
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const auto& row) { return gravity_of(row.first); });
  std::string html =
      "<div class=\"scroll verdict-rows\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"verdicts\"><table>\n<thead><tr><th scope=\"col\">verdict</th>"
      "<th scope=\"col\">unit</th><th scope=\"col\">what</th><th scope=\"col\" class=\"number\">value</th>"
      "<th scope=\"col\">limit</th><th scope=\"col\">because (opens: evidence)</th>"
      "<th scope=\"col\">action</th></tr></thead>\n<tbody>\n";
  VerdictAnchors anchors;
  for (std::size_t i = 0; i < std::min(rows_shown, rows.size()); ++i)
    html += table_row(rows[i].first, rows[i].second, anchors.next(rows[i].first, rows[i].second));
  html += "</tbody></table></div>\n";
  if (rows.size() > rows_shown)
    html += html_note(fmt::format("The worst {} of {} rows. All: {}, and the files of verdicts.", rows_shown,
                                  rows.size(), commands_for_all(parts)));
  return section("verdicts", "Verdicts", rows.empty() ? "<p class=\"none\">None.</p>\n" : html);
}

}  // namespace assay::results
