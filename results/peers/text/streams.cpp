// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/text/streams.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/prefix.hpp"

namespace assay::results::peers {
namespace {

using IsKnown = std::function<bool(Lines)>;

bool most_have(const Stream& stream, PrefixKind kind) {
  std::size_t with = 0, without = 0;
  for (const Line& line : stream.lines)
    if (!trimmed(line.text).empty()) ++(prefix_of(kind, line.text) ? with : without);
  return with > without;
}

/// The host that a label names: of a pod, its name.
std::string host_of(PrefixKind kind, std::string_view label) {
  if (kind != PrefixKind::pod) return std::string(label);
  label.remove_prefix(std::string_view("pod/").size());
  return std::string(label.substr(0, label.find('/')));
}

/// One stream of all lines, in their order; those without a prefix stay.
Stream together(const Stream& stream, PrefixKind kind) {
  Stream stripped = stream;
  stripped.prefixed = true;
  for (Line& line : stripped.lines) {
    const auto prefix = prefix_of(kind, line.text);
    if (!prefix) continue;
    if (kind == PrefixKind::time && stripped.started.empty()) stripped.started = std::string(prefix->label);
    line.text.remove_prefix(prefix->length);
  }
  return stripped;
}

/// A stream of each label, in the order of their first lines; those without a prefix are of none.
std::vector<Stream> apart(const Stream& stream, PrefixKind kind) {
  std::map<std::string_view, std::size_t> places;
  std::vector<Stream> streams;
  long foreign = stream.foreign_lines;
  for (const Line& line : stream.lines) {
    const auto prefix = prefix_of(kind, line.text);
    if (!prefix) {
      if (!trimmed(line.text).empty()) ++foreign;
      continue;
    }
    const auto [place, is_new] = places.try_emplace(prefix->label, streams.size());
    if (is_new) {
      Stream made{.lines = {}, .host = stream.host, .started = stream.started, .prefixed = true};
      if (names_host(kind)) made.host = host_of(kind, prefix->label);
      streams.push_back(std::move(made));
    }
    streams[place->second].lines.push_back({line.text.substr(prefix->length), line.number});
  }
  for (Stream& made : streams) made.foreign_lines = foreign;
  return streams;
}

std::vector<Stream> without_prefixes(const Stream& stream, const IsKnown& is_known, int levels);

/// Streams of which one at least is known; empty where none is.
std::vector<Stream> known_below(const std::vector<Stream>& streams, const IsKnown& is_known, int levels) {
  std::vector<Stream> all;
  bool any = false;
  for (const Stream& stream : streams)
    for (Stream& inner : without_prefixes(stream, is_known, levels - 1)) {
      any = any || is_known(inner.lines);
      all.push_back(std::move(inner));
    }
  if (!any) all.clear();
  return all;
}

/// Ranks of one program write one result, which lines of the others interrupt; several programs under one
/// launcher write one each.
std::vector<Stream> of_ranks(const Stream& stream, PrefixKind kind, const IsKnown& is_known, int levels) {
  const std::vector<Stream> separate = apart(stream, kind);
  const auto known = std::ranges::count_if(separate, [&](const Stream& one) { return is_known(one.lines); });
  if (known > 1) return known_below(separate, is_known, levels);
  return known_below({together(stream, kind)}, is_known, levels);
}

std::vector<Stream> without_prefixes(const Stream& stream, const IsKnown& is_known, int levels) {
  if (levels == 0 || is_known(stream.lines)) return {stream};
  for (const PrefixKind kind : prefix_kinds) {
    if (!most_have(stream, kind)) continue;
    std::vector<Stream> below;
    if (names_rank(kind))
      below = of_ranks(stream, kind, is_known, levels);
    else if (names_host(kind))
      below = known_below(apart(stream, kind), is_known, levels);
    else
      below = known_below({together(stream, kind)}, is_known, levels);
    if (!below.empty()) return below;
  }
  return {stream};
}

}  // namespace

std::vector<Stream> streams_of(std::vector<Line> lines, const IsKnown& is_known) {
  constexpr int nested_prefixes = 4;
  return without_prefixes({.lines = std::move(lines)}, is_known, nested_prefixes + 1);
}

}  // namespace assay::results::peers
