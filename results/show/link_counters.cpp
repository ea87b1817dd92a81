// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/link_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

/// In the order of the words.
enum class Deed { stood_still, moved, moved_at_least, was_full, was_reset, not_read };
constexpr std::array deed_words{"stood still",     "moved",     "moved, then full: at least",
                                "was full before", "was reset", "could not be read"};

Deed deed_of(core::CounterReport::Outcome outcome) {
  switch (outcome) {
    case core::CounterReport::Outcome::moved:
      return Deed::moved;
    case core::CounterReport::Outcome::moved_at_least:
      return Deed::moved_at_least;
    case core::CounterReport::Outcome::was_full:
      return Deed::was_full;
    case core::CounterReport::Outcome::was_reset:
      return Deed::was_reset;
    case core::CounterReport::Outcome::not_read:
      return Deed::not_read;
  }
  return Deed::not_read;
}

bool is_informational(const core::CounterReport& counter) { return counter.speaks_for == LinkClass::clean; }

std::string meaning_of(const core::CounterReport& counter) {
  return counter.about.empty() ? "no sign of trouble by itself" : counter.about;
}

/// What the table says of one counter of a host.
struct Sum {
  std::int64_t points = 0;
  std::uint64_t most = 0;
  std::string meaning;
  LinkClass worst = LinkClass::clean;
};
using Key = std::tuple<std::string, std::string, Deed>;  // host, counter

class Sums {
 public:
  void add_point(const PointRecord& record) {
    auto hosts = hosts_by_rank(record.conditions, record.ranks);
    for (const LinkReport& link : record.links) {
      if (link.link_class == LinkClass::clean)
        add({hosts[link.rank], fmt::format("{} counters of trouble", link.watched), Deed::stood_still}, 0, "",
            link.link_class);
      if (link.link_class != LinkClass::clean && std::ranges::all_of(link.counters, is_informational))
        add({hosts[link.rank], "any", Deed::not_read}, 0, reasons(link), link.link_class);
      for (const core::CounterReport& counter : link.counters)
        add({hosts[link.rank], counter.counter.empty() ? "any" : counter.counter, deed_of(counter.outcome)},
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
  const auto& [host, counter, deed] = key;
  const bool counted = deed == Deed::moved || deed == Deed::moved_at_least;
  return {host,
          counter,
          deed_words.at(static_cast<std::size_t>(deed)),
          counted ? Cell(static_cast<std::int64_t>(sum.most)) : Cell(),
          sum.points,
          std::string(to_string(sum.worst)),
          sum.meaning};
}

}  // namespace

Table show_counters(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Link counters", run), .notes = {}, .columns = {}, .rows = {}};
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
        "Most: in one point. Class: the gravest that a point's counters at this host gave its link. A "
        "counter "
        "that could not be followed says nothing; only one that stood still is good.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
