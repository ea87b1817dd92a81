// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/assumed_node.hpp"

#include <fmt/format.h>

#include <charconv>

#include "harness/core/error.hpp"

namespace assay::suite {
namespace {

constexpr int most_gpus = 4096;  // of one operating system; more is a slip of the keyboard

}  // namespace

AssumedNode assumed_node(const std::string& text) {
  const std::size_t cross = text.rfind('x');
  AssumedNode node;
  if (cross != std::string::npos && cross > 0) {
    node.gpu = text.substr(0, cross);
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + cross + 1, end, node.gpus);
    if (error == std::errc() && rest == end && node.gpus >= 1 && node.gpus <= most_gpus) return node;
  }
  core::usage_error(
      fmt::format("--as: expected a GPU's name and how many a node has, such as h100x8, got '{}'", text));
}

std::string to_text(const AssumedNode& node) {
  return fmt::format("as if a node had {} {}{}; all else as here", node.gpus, node.gpu,
                     node.adapters ? " and RDMA adapters" : "");
}

std::vector<std::string> words_of(const AssumedNode& node) {
  std::vector<std::string> words{"--assume-gpus", std::to_string(node.gpus)};
  if (node.adapters) words.emplace_back("--assume-adapters");
  return words;
}

}  // namespace assay::suite
