// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/point_text.hpp"

namespace assay::results {
namespace {

Scalar kept(const JsonCursor::Scalar& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  return std::get<double>(value);
}

/// Whole numbers from 0 below `limit`.
std::vector<std::int64_t> numbers_below(JsonCursor& at, std::int64_t limit) {
  std::vector<std::int64_t> numbers;
  read(at, numbers);
  for (const std::int64_t number : numbers)
    if (number < 0 || number >= limit) at.refuse();
  return numbers;
}

std::vector<core::QueuePairReport> read_queue_pairs(JsonCursor& at) {
  const std::vector<std::int64_t> ports = numbers_below(at, 1 << 16),
                                  numbers = numbers_below(at.key("destination_qpns"), 1 << 24);
  if (ports.size() != numbers.size()) at.refuse();
  std::vector<core::QueuePairReport> pairs;
  for (std::size_t i = 0; at.good() && i < ports.size(); ++i) pairs.push_back({ports[i], numbers[i]});
  return pairs;
}

}  // namespace

void read(JsonCursor& at, Fields& into) {
  at.each_field(
      [&](std::string_view name, const JsonCursor::Scalar& value) { into.emplace_back(name, kept(value)); });
}

void read(JsonCursor& at, UnitReport& into) {
  at.take('{');
  read(at.key("kind"), into.kind);
  read(at.key("id"), into.id);
  at.take('}');
  if (into.kind.empty() || into.id.empty()) at.refuse();
}

void read(JsonCursor& at, RankReport& into) {
  at.take('{');
  read(at.key("rank"), into.rank);
  read(at.key("conditions"), into.facts);
  at.take('}');
}

void read(JsonCursor& at, core::CounterReport& into) {
  at.take('{');
  read(at.key("counter"), into.counter);
  read_word(at.key("outcome"), into.outcome, core::counter_outcome_from);
  read(at.key("moved"), into.moved);
  read_word(at.key("class"), into.speaks_for, core::link_class_from);
  read(at.key("about"), into.about);
  at.take('}');
}

void read(JsonCursor& at, LinkReport& into) {
  at.take('{');
  read(at.key("rank"), into.rank);
  read_word(at.key("class"), into.link_class, core::link_class_from);
  read(at.key("watched"), into.watched);
  if (into.watched < 0) at.refuse();
  if (!at.key("counters").has("[]")) read(at, into.counters);
  at.take('}');
}

void read(JsonCursor& at, FlowReport& into) {
  at.take('{');
  read(at.key("from"), into.from);
  read(at.key("to"), into.to);
  read_if_there(at, "gb_per_s", into.gb_per_s);
  read_if_there(at, "alone_gb_per_s", into.alone_gb_per_s);
  if (at.has_key("source_ports")) into.queue_pairs = read_queue_pairs(at);
  at.take('}');
}

}  // namespace assay::results
