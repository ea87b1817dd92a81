// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The links' counters over the points of a run: those that moved, those that were full or could not be
// followed, and how many did not move. Only the last is good.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "results/points/kinds/fabric_points.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

using Outcome = core::CounterReport::Outcome;

/// Nothing: counters that did not move.
std::string deed_text(std::optional<Outcome> outcome) {
  constexpr std::array words{"moved", "moved, then full: at least", "was full before", "was reset",
                             "could not be read"};
  return outcome ? words.at(static_cast<std::size_t>(*outcome)) : "stood still";
}

bool is_informational(const core::CounterReport& counter) { return counter.speaks_for == LinkClass::clean; }

std::string meaning_of(const core::CounterReport& counter) {
  return counter.about.empty() ? "no sign of trouble by itself" : counter.about;
}

/// The table's figures for one counter of a host.
struct Sum {
  std::int64_t points = 0;
  std::uint64_t most = 0;
  std::string meaning;
  LinkClass worst = LinkClass::clean;
};
using Key = std::tuple<std::string, std::string, std::optional<Outcome>>;  // host, counter

class Sums {
 public:
  void add_point(const PointRecord& record) {
    auto hosts = hosts_by_rank(record.conditions, record.ranks);
    for (const LinkReport& link : record.links) {
      if (link.link_class == LinkClass::clean)
        add({hosts[link.rank], fmt::format("{} counters of trouble", link.watched), std::nullopt}, 0, "",
            link.link_class);
      if (link.link_class != LinkClass::clean && std::ranges::all_of(link.counters, is_informational))
        add({hosts[link.rank], "any", Outcome::not_read}, 0, reasons(link), link.link_class);
      for (const core::CounterReport& counter : link.counters)
        add({hosts[link.rank], counter.counter.empty() ? "any" : counter.counter, counter.outcome},
            counter.moved, meaning_of(counter),
            is_informational(counter) ? LinkClass::clean : link.link_class);
    }
  }
  const std::map<Key, Sum>& all() const { return sums_; }

 private:
  void add(const Key& key, std::uint64_t moved, const std::string& meaning, LinkClass link_class) {
    Sum& sum = sums_[key];
    ++sum.points;
    sum.most = std::max(sum.most, moved);
    if (sum.meaning.empty()) sum.meaning = meaning;
    sum.worst = std::max(sum.worst, link_class);
  }
  std::map<Key, Sum> sums_;
};

std::vector<Cell> row_of(const Key& key, const Sum& sum) {
  const auto& [host, counter, outcome] = key;
  const bool counted = outcome == Outcome::moved || outcome == Outcome::moved_at_least;
  return {host,
          counter,
          deed_text(outcome),
          counted ? Cell(static_cast<std::int64_t>(sum.most)) : Cell(),
          sum.points,
          std::string(to_string(sum.worst)),
          sum.meaning};
}

}  // namespace

Table show_counters(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Link counters", run)};
  table.columns = {{"host", "", Kind::word, false, true},
                   {"counter", "", Kind::word},
                   {"what it did", "", Kind::word},
                   {"most", "", Kind::count, false, true},
                   {"points", "", Kind::count},
                   {"class", "", Kind::word},
                   {"meaning"}};
  Sums sums;
  for (const StoredPoint& point : run.rows(options.filter.empty() ? "rdma.*" : options.filter))
    if (point.status == Status::ok && point.case_name.starts_with("rdma."))
      sums.add_point(run.record(point.id));
  std::vector<std::pair<Key, Sum>> sorted(sums.all().begin(), sums.all().end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const auto& one) { return one.second.worst; });
  for (const auto& [key, sum] : sorted) table.rows.push_back(row_of(key, sum));
  if (!table.rows.empty())
    table.notes.emplace_back(
        "Most: in one point. Class: the worst that a point's counters at this host gave its link. A counter "
        "that could not be followed says nothing; only one that stood still is good.");
  return table;
}

}  // namespace assay::results
