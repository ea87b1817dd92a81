// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points, doubts and refusals of a text of another tool, for tests.
#pragma once

#include <string>
#include <vector>

#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_file.hpp"

namespace assay::results::peers::test {

inline PeerFile read(const std::string& text, const std::string& path = "a.txt") {
  return read_peer_text(text, plain_facts(path), {});
}

inline std::vector<PeerPoint> points_of(const PeerFile& file) {
  std::vector<PeerPoint> points;
  for (const PeerBlock& block : file.blocks)
    points.insert(points.end(), block.findings.points.begin(), block.findings.points.end());
  return points;
}

/// Headlines in their order; -1 without a number.
inline std::vector<double> values_of(const PeerFile& file) {
  std::vector<double> values;
  for (const PeerPoint& point : points_of(file)) values.push_back(point.value.value_or(-1));
  return values;
}

/// "cut prefixed": words of all points, each once.
inline std::string doubts_of(const PeerFile& file) {
  std::string words;
  for (const PeerPoint& point : points_of(file))
    for (const Doubt& doubt : point.doubts)
      if ((" " + words + " ").find(" " + std::string(word_of(doubt.kind)) + " ") == std::string::npos)
        words += (words.empty() ? "" : " ") + std::string(word_of(doubt.kind));
  return words;
}

/// "3: the line holds a zero byte: left out"; several by line feeds.
inline std::string refusals_of(const PeerFile& file) {
  std::string all;
  for (const Refusal& refusal : file.refusals)
    all += (all.empty() ? "" : "\n") + std::to_string(refusal.line) + ": " + refusal.what;
  return all;
}

/// Each line with `prefix` before it.
inline std::string with_prefix(const std::string& text, const std::string& prefix) {
  std::string prefixed;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    prefixed += prefix + text.substr(at, end - at) + "\n";
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return prefixed;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace assay::results::peers::test
