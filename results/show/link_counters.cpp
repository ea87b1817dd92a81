// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/link_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>

#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

/// At the separators outside parentheses: meanings hold "; " themselves.
std::vector<std::string> split_at(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth > 0 || text.compare(at, separator.size(), separator) != 0) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

/// "43 counters watched"
std::optional<CounterWord> still_word(const std::string& part) {
  const auto end = part.find(" counters watched");
  if (end == std::string::npos || part.find_first_not_of("0123456789") != end) return std::nullopt;
  return CounterWord{part.substr(0, end) + " counters of trouble", CounterOutcome::stood_still, 0, ""};
}

/// "mlx5_0 out_of_sequence +12 at least (meaning)"
std::optional<CounterWord> moved_word(const std::string& part) {
  const auto plus = part.find(" +");
  if (plus == std::string::npos) return std::nullopt;
  std::uint64_t moved = 0;
  const char* const end = part.data() + part.size();
  const auto [rest, error] = std::from_chars(part.data() + plus + 2, end, moved);
  if (error != std::errc()) return std::nullopt;
  const std::string after(rest, end);
  const auto open = after.find('(');
  const bool told = open != std::string::npos && after.ends_with(')');
  return CounterWord{part.substr(0, plus),
                     after.starts_with(" at least") ? CounterOutcome::moved_at_least : CounterOutcome::moved,
                     moved, told ? after.substr(open + 1, after.size() - open - 2) : ""};
}

CounterWord blind_word(const std::string& part) {
  const std::pair<const char*, CounterOutcome> causes[] = {
      {" was full from the start", CounterOutcome::was_full},
      {" was reset in between", CounterOutcome::was_reset},
      {" could not be read again", CounterOutcome::not_read},
      {" tells no counter", CounterOutcome::not_read}};
  for (const auto& [mark, outcome] : causes)
    if (const auto at = part.find(mark); at != std::string::npos)
      return {part.substr(0, at), outcome, 0, part.substr(at + 1)};
  return {"any", CounterOutcome::not_read, 0, part};
}

/// What the table says of one counter of a host.
struct Sum {
  std::int64_t points = 0;
  std::uint64_t most = 0;
  std::string meaning;
  LinkClass worst = LinkClass::clean;
};
using Key = std::tuple<std::string, std::string, CounterOutcome>;  // host, counter

class Sums {
 public:
  void add_point(const Fields& conditions) {
    auto hosts = values_by_rank(conditions, "host");
    const auto classes = values_by_rank(conditions, "link_class");
    for (const auto* name : {"link_class_why", "link_counters"})
      for (const auto& [rank, text] : values_by_rank(conditions, name)) {
        const auto of_rank = classes.find(rank);
        const LinkClass link_class =
            of_rank == classes.end() ? LinkClass::unknown : link_class_from(of_rank->second);
        for (const CounterWord& word : counter_words(text)) add(hosts[rank], word, link_class);
      }
    for (const auto* name : {"link_counters_also_moved", "link_also_moved"})
      for (const auto& [rank, text] : values_by_rank(conditions, name))
        for (const CounterWord& word : also_moved_words(text)) add(hosts[rank], word, LinkClass::clean);
  }
  const std::map<Key, Sum>& all() const { return sums_; }

 private:
  void add(const std::string& host, const CounterWord& word, LinkClass link_class) {
    Sum& sum = sums_[{host, word.counter, word.outcome}];
    ++sum.points;
    sum.most = std::max(sum.most, word.moved);
    if (sum.meaning.empty()) sum.meaning = word.meaning;
    sum.worst = std::max(sum.worst, link_class);
  }
  std::map<Key, Sum> sums_;
};

std::vector<Cell> row_of(const Key& key, const Sum& sum) {
  const auto& [host, counter, outcome] = key;
  const bool counted = outcome == CounterOutcome::moved || outcome == CounterOutcome::moved_at_least;
  return {host,
          counter,
          std::string(to_string(outcome)),
          counted ? Cell(static_cast<std::int64_t>(sum.most)) : Cell(),
          sum.points,
          to_string(sum.worst),
          sum.meaning};
}

}  // namespace

std::vector<CounterWord> counter_words(const std::string& description) {
  std::vector<CounterWord> words;
  const auto colon = description.find(": ");
  const std::string parts = colon == std::string::npos ? description : description.substr(colon + 2);
  for (const std::string& part : split_at(parts, "; ")) {
    auto word = still_word(part);
    if (!word) word = moved_word(part);
    words.push_back(word ? *word : blind_word(part));
  }
  return words;
}

std::vector<CounterWord> also_moved_words(const std::string& list) {
  std::vector<CounterWord> words;
  // One writer joins with commas, the other with semicolons.
  for (const std::string& some : split_at(list, "; "))
    for (const std::string& part : split_at(some, ", ")) {
      const auto word = moved_word(part);
      words.push_back(word ? *word : blind_word(part));
      if (word && word->meaning.empty()) words.back().meaning = "no sign of trouble by itself";
    }
  return words;
}

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
  for (const char* const module : {"rdma.*", "collectives.*"})
    for (const StoredPoint& point : run.rows(options.filter.empty() ? module : options.filter))
      if (point.status == Status::ok && point.case_name.starts_with(std::string_view(module, 4)))
        sums.add_point(run.conditions(point.id));
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

std::string_view to_string(CounterOutcome outcome) {
  constexpr std::array words{"stood still",     "moved",     "moved, then full: at least",
                             "was full before", "was reset", "could not be read"};
  return words[static_cast<std::size_t>(outcome)];
}

}  // namespace assay::results
