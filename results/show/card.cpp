// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/core/in_order.hpp"
#include "harness/core/printable.hpp"
#include "results/show/facts.hpp"
#include "results/show/highlights.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

constexpr std::size_t problems_shown = 4;

/// An interval "[2.1, 2.6]" stays whole.
std::size_t comma_outside_brackets(const std::string& text) {
  const std::size_t comma = text.find(", "), open = text.find('[');
  const std::size_t close = open < comma ? text.find(']', open) : std::string::npos;
  return close == std::string::npos ? comma : text.find(", ", close);
}

/// Host, run and processor are what a journal says they are.
std::string shown(const std::string& text) { return core::printable(text, 4 * text.size()); }

class CardLines {
 public:
  explicit CardLines(int width) : width_(width > 0 ? static_cast<std::size_t>(width) : std::string::npos) {}
  /// Values that do not fit continue below, broken at ", ".
  void add(const std::string& name, const std::string& value) {
    std::string line = fmt::format("{:<12}", shown(name)), rest = shown(value);
    while (!rest.empty()) {
      const std::size_t comma = comma_outside_brackets(rest);
      const std::string part = comma == std::string::npos ? rest : rest.substr(0, comma + 2);
      rest.erase(0, part.size());
      if (width_of(line) + width_of(part) > width_ && width_of(line) > 12) {
        end(line);
        line = std::string(12, ' ');
      }
      line += part;
    }
    end(line);
  }
  void rule(const std::string& title) {
    text_ += shown(title) + '\n' + std::string(shown(title).size(), '-') + '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  void end(std::string line) {
    while (line.ends_with(' ')) line.pop_back();
    text_ += line + '\n';
  }

  std::size_t width_;
  std::string text_;
};

std::string value_text(const Highlight& highlight) {
  std::string text = fmt::format("{} {} {}", highlight.label, number_text(highlight.value), highlight.unit);
  std::vector<std::string> remarks;
  if (highlight.efficiency)
    remarks.push_back(
        fmt::format("{:.1f} % of {}", 100 * highlight.efficiency->value, highlight.efficiency_of));
  if (!highlight.link_class.empty()) remarks.push_back("link " + highlight.link_class);
  if (!highlight.still_moving.empty()) remarks.push_back(highlight.still_moving + " still moving");
  return remarks.empty() ? text : fmt::format("{} ({})", text, fmt::join(remarks, "; "));
}

/// In one list; at which size the fabric was measured is part of what was.
std::vector<Highlight> fabric_list(const Highlights& highlights) {
  std::vector<Highlight> all;
  for (const auto* some : {&highlights.rdma_latency, &highlights.rdma_bandwidth, &highlights.rdma_rate})
    for (const Highlight& one : *some) {
      all.push_back(one);
      all.back().label += " " + one.detail.substr(0, one.detail.find(", "));
    }
  return all;
}

std::string ladder_of(const Highlight& step) {
  const std::size_t comma = step.detail.find(", ");
  return comma == std::string::npos ? "" : step.detail.substr(comma + 2);
}

/// One entry per back end (and, for latency, per ladder), values one after the other.
void add_highlights(CardLines& lines, const std::string& name, const std::vector<Highlight>& highlights,
                    bool by_ladder) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Highlight& highlight : highlights) {
    const std::string ladder = by_ladder ? ladder_of(highlight) : "";
    const std::string key = highlight.back_end + (ladder.empty() ? "" : " (" + ladder + ")");
    if (entries.empty() || entries.back().first != key) entries.emplace_back(key, "");
    entries.back().second.append(entries.back().second.empty() ? "" : ", ").append(value_text(highlight));
  }
  for (const auto& [key, values] : entries) lines.add(name, key + ": " + values);
}

/// Why points are not ok, each reason once with its points among those read; failures before what is
/// unsupported.
core::InOrder<std::string, std::int64_t>::Entries reasons_of(const RunPoints& run) {
  core::InOrder<std::string, std::int64_t> reasons;
  for (const StoredPoint& point : run.in_order("", default_row_limit, Chosen::bad))
    ++reasons[to_string(point.status) + " " + point.case_name + ": " + point.reason];
  for (const StoredPoint& point : run.in_order("", default_row_limit, Chosen::not_ok))
    if (point.status == Status::unsupported) ++reasons["unsupported: " + point.reason];
  return reasons.take();
}

void add_problems(CardLines& lines, const RunPoints& run) {
  const std::int64_t count = run.stored().points() - run.stored().ok;
  lines.add("points", points_text(run.stored()));
  if (const std::string& ending = run.ending(); ending != "complete") lines.add("ended", ending);
  const auto reasons = reasons_of(run);
  for (std::size_t i = 0; i < reasons.size() && i < problems_shown; ++i)
    lines.add("", reasons[i].first + (reasons[i].second > 1 && count <= default_row_limit
                                          ? fmt::format(" ({} points)", reasons[i].second)
                                          : ""));
  if (reasons.size() > problems_shown)
    lines.add("", fmt::format("... {} points not ok in all; the table 'problems' lists them", count));
}

}  // namespace

std::string node_card(const RunPoints& run, int width) {
  const auto machine = machine_of(run);
  CardLines lines(width);
  const Facts facts = machine_facts(machine);
  lines.rule(fmt::format("{}: {} {}, {}", facts.front().second, run.origin(), run.stored().started,
                         run.stored().run_id));
  for (std::size_t i = 1; i < facts.size(); ++i) lines.add(facts[i].first, facts[i].second);
  const Highlights highlights = highlights_of(run);
  add_highlights(lines, "bandwidth", highlights.bandwidth, false);
  add_highlights(lines, "latency", highlights.latency, true);
  add_highlights(lines, "gemm", highlights.gemm, false);
  add_highlights(lines, "RDMA", fabric_list(highlights), false);
  if (!highlights.rdma_unclean.empty()) lines.add("RDMA links", highlights.rdma_unclean);
  for (const std::string& cut : run.cut_short()) lines.add("made of", cut);
  add_problems(lines, run);
  return lines.take();
}

}  // namespace assay::results
