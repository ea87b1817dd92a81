// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/older_form.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace assay::results {
namespace {

std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  if (text.starts_with('-')) return std::nullopt;  // "-0" too
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// 3 of "rank3_host", which loses all but "host"; nothing of another name.
std::optional<int> take_rank(std::string_view& name) {
  std::string_view rest = name;
  const auto rank = take_word(rest, "rank") ? take_number(rest) : std::nullopt;
  if (!rank || !take_word(rest, "_")) return std::nullopt;
  name = rest;
  return rank;
}

/// "lossy: rxe0 ..." to "rxe0 ...".
std::string_view without_class(std::string_view sentence, LinkClass link_class) {
  if (take_word(sentence, core::to_string(link_class))) take_word(sentence, ": ");
  return sentence;
}

/// At the separators outside parentheses: meanings hold "; " themselves.
std::vector<std::string_view> split_at(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth > 0 || !text.substr(at).starts_with(separator)) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

using Outcome = core::CounterReport::Outcome;

/// "mlx5_0 out_of_sequence +12 at least (meaning)"
std::optional<core::CounterReport> moved_counter(std::string_view part) {
  const std::size_t plus = part.find(" +");
  if (plus == std::string_view::npos) return std::nullopt;
  core::CounterReport counter{.counter = std::string(part.substr(0, plus)), .outcome = Outcome::moved};
  const auto [end, error] = std::from_chars(part.data() + plus + 2, part.data() + part.size(), counter.moved);
  if (error != std::errc()) return std::nullopt;
  part.remove_prefix(static_cast<std::size_t>(end - part.data()));
  if (take_word(part, " at least")) counter.outcome = Outcome::moved_at_least;
  if (part.starts_with(" (") && part.ends_with(")")) counter.about = part.substr(2, part.size() - 3);
  return counter;
}

/// "mlx5_0 symbol_error was full from the start (65535): ..."; a sentence it does not know is kept whole.
core::CounterReport blind_counter(std::string_view part) {
  constexpr std::pair<std::string_view, Outcome> causes[] = {{" was full from the start", Outcome::was_full},
                                                             {" was reset in between", Outcome::was_reset},
                                                             {" could not be read again", Outcome::not_read},
                                                             {" tells no counter", Outcome::not_read}};
  core::CounterReport counter{.counter = {}, .speaks_for = LinkClass::unknown, .about = std::string(part)};
  for (const auto& [mark, outcome] : causes)
    if (const std::size_t at = part.find(mark); at != std::string_view::npos) {
      counter.counter = part.substr(0, at);
      counter.outcome = outcome;
      counter.about = part.substr(at + 1);
    }
  return counter;
}

/// Adds what harness/link once wrote: "lossy: mlx5_0 out_of_sequence +12 (...); mlx5_0 symbol_error was full
/// ...".
void add_sentence(LinkReport& link, const std::string& sentence) {
  for (std::string_view part : split_at(without_class(sentence, link.link_class), "; ")) {
    std::string_view rest = part;
    if (const auto watched = take_number(rest); watched && rest == " counters watched") {
      link.watched = *watched;
    } else if (auto moved = moved_counter(part)) {
      // Unknown outranks congestion alone.
      moved->speaks_for = link.link_class == LinkClass::unknown ? LinkClass::congested : link.link_class;
      link.counters.push_back(std::move(*moved));
    } else if (part != "no counter of trouble could be read") {
      link.counters.push_back(blind_counter(part));
    }
  }
}

/// Counters that moved without speaking for trouble; one writer joined them with commas, one with semicolons.
void add_also_moved(LinkReport& link, const std::string& list) {
  for (const std::string_view some : split_at(list, "; "))
    for (const std::string_view part : split_at(some, ", "))
      link.counters.push_back(moved_counter(part).value_or(blind_counter(part)));
}

/// The links of all ranks, as their conditions describe them.
class Links {
 public:
  /// False where the condition is about something else.
  bool take(int rank, std::string_view name, const Scalar& value) {
    if (name == "link_class")
      links_[rank] = {.rank = rank,
                      .link_class = core::link_class_from(word_or_empty(value)).value_or(LinkClass::unknown)};
    else if (name == "link_class_why" || name == "link_counters")
      sentences_[rank] = word_or_empty(value);
    else if (name == "link_counters_also_moved" || name == "link_also_moved")
      also_moved_[rank] = word_or_empty(value);
    else
      return name == "link_counters_watched";
    return true;
  }
  std::vector<LinkReport> all() {
    std::vector<LinkReport> all;
    for (auto& [rank, link] : links_) {
      add_sentence(link, sentences_[rank]);
      add_also_moved(link, also_moved_[rank]);
      all.push_back(std::move(link));
    }
    return all;
  }

 private:
  std::map<int, LinkReport> links_;
  std::map<int, std::string> sentences_, also_moved_;
};

void read_conditions(PointRecord& point) {
  Links links;
  std::map<int, std::vector<core::Fact>> ranks;
  std::erase_if(point.conditions, [&](const core::Fact& fact) {
    std::string_view name = fact.first;
    const int rank = take_rank(name).value_or(0);
    if (links.take(rank, name, fact.second)) return true;
    if (name.size() == fact.first.size()) return false;
    ranks[rank].emplace_back(name, fact.second);
    return true;
  });
  for (auto& [rank, facts] : ranks) point.ranks.push_back({rank, std::move(facts)});
  std::ranges::move(links.all(), std::back_inserter(point.links));
}

struct NamedFlow {
  bool alone = false;
  int from = 0, to = 0;
};

/// Parses "flow_0_to_1_gb_per_s" or "alone_0_to_1_gb_per_s"; nothing for another name.
std::optional<NamedFlow> flow_of(std::string_view name) {
  const bool alone = take_word(name, "alone_");
  if (!alone && !take_word(name, "flow_")) return std::nullopt;
  const auto from = take_number(name);
  const auto to = from && take_word(name, "_to_") ? take_number(name) : std::nullopt;
  if (!to || name != "_gb_per_s") return std::nullopt;
  return NamedFlow{alone, *from, *to};
}

void read_flows(PointRecord& point) {
  std::map<std::pair<int, int>, FlowReport> flows;
  std::erase_if(point.metrics, [&](const Metric& metric) {
    const std::optional<NamedFlow> named = flow_of(metric.name);
    if (!named) return false;
    const auto [from, to] = std::pair(named->from, named->to);
    FlowReport& flow = flows.try_emplace({from, to}, FlowReport{.from = from, .to = to}).first->second;
    (named->alone ? flow.alone_gb_per_s : flow.gb_per_s) = metric.value;
    return true;
  });
  for (const auto& [ranks, flow] : flows) point.flows.push_back(flow);
}

constexpr std::pair<std::string_view, std::string_view> older_types[] = {{"float32", "fp32"},
                                                                         {"float64", "fp64"}};

/// "bytes=8,dtype=float32,root=0": the value of the axis dtype, where it is `older`.
void replace_type_in(std::string& key, std::string_view older, std::string_view newer) {
  const std::string said = "dtype=" + std::string(older);
  for (std::size_t at = key.find(said); at != std::string::npos; at = key.find(said, at + 1)) {
    const std::size_t end = at + said.size();
    if ((at > 0 && key[at - 1] != ',') || (end < key.size() && key[end] != ',')) continue;
    key.replace(at + said.size() - older.size(), older.size(), newer);
  }
}

}  // namespace

void read_older_form(PointRecord& point) {
  read_conditions(point);
  read_flows(point);
}

void read_older_units(PointRecord& point) {
  const bool is_rdma = point.case_name.starts_with("rdma.");  // whose axis gpu says where messages lie
  const char* axis = is_rdma ? "device" : "gpu";
  for (const auto& [name, value] : point.point) {
    const auto* number = std::get_if<std::int64_t>(&value);
    const std::string id = number == nullptr ? word_or_empty(value) : std::to_string(*number);
    if (name == axis && !id.empty() && id != "auto") point.units.push_back({is_rdma ? "port" : "gpu", id});
  }
}

void read_older_types(PointRecord& point) {
  for (auto& [axis, value] : point.point)
    for (const auto& [older, newer] : older_types) {
      if (axis != "dtype" || word_or_empty(value) != older) continue;
      value = std::string(newer);
      replace_type_in(point.key, older, newer);
    }
}

bool has_older_types(std::string_view axes) {
  if (axes.find(R"("dtype":)") == std::string_view::npos) return false;
  return std::ranges::any_of(older_types, [&](const auto& type) {
    return axes.find("\"dtype\":\"" + std::string(type.first) + '"') != std::string_view::npos;
  });
}

bool is_older_metric(std::string_view name) { return flow_of(name).has_value(); }

bool is_of_older_form(std::string_view conditions) {
  for (const std::string_view name : {R"("link_class)", R"("link_counters)", R"("link_also_moved)"})
    if (conditions.find(name) != std::string_view::npos) return true;
  constexpr std::string_view rank = R"("rank)";
  for (std::size_t at = conditions.find(rank); at != std::string_view::npos;
       at = conditions.find(rank, at + 1))
    if (const std::size_t next = at + rank.size();
        next < conditions.size() && conditions[next] >= '0' && conditions[next] <= '9')
      return true;
  return false;
}

}  // namespace assay::results
