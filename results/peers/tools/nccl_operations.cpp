// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/nccl_operations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

/// Longer names first where one holds another.
constexpr std::array nccl_operations{
    NcclOperation{"reduce_scatter", "collectives.nccl.reduce_scatter", "reduce_scatter", true},
    NcclOperation{"all_reduce", "collectives.nccl.all_reduce", "all_reduce", true},
    NcclOperation{"all_gather", "collectives.nccl.all_gather", "all_gather"},
    NcclOperation{"alltoallv", "peers.nccl_tests.alltoallv", "all_to_all_v"},
    NcclOperation{"alltoall", "collectives.nccl.all_to_all", "all_to_all"},
    NcclOperation{"broadcast", "collectives.nccl.broadcast", "broadcast", false, true},
    NcclOperation{"hypercube", "peers.nccl_tests.hypercube", "hypercube"},
    NcclOperation{"sendrecv", "collectives.nccl.send_receive", "send_recv"},
    NcclOperation{"scatter", "collectives.nccl.scatter", "scatter", false, true},
    NcclOperation{"gather", "collectives.nccl.gather", "gather", false, true},
    NcclOperation{"reduce", "collectives.nccl.reduce", "reduce", true, true},
};

/// The length of `words` where `text` begins with them; 0: it does not.
std::size_t length_of_words(std::string_view text, std::string_view words) {
  std::size_t at = 0;
  for (const char letter : words) {
    const bool there = at < text.size();
    if (letter == '_')
      at += there && (text[at] == '_' || text[at] == '-') ? 1 : 0;
    else if (there && (text[at] == letter || text[at] == letter - 'a' + 'A'))
      ++at;
    else
      return 0;
  }
  return at < text.size() && is_letter(text[at]) ? 0 : at;
}

/// The operation that `text` begins with, and its length there.
std::pair<const NcclOperation*, std::size_t> operation_at_begin(std::string_view text) {
  for (const NcclOperation& operation : nccl_operations)
    if (const std::size_t length = length_of_words(text, operation.words)) return {&operation, length};
  return {nullptr, 0};
}

}  // namespace

const NcclOperation* known_nccl_operation(std::string_view name) {
  const auto* const found = std::ranges::find(nccl_operations, name, &NcclOperation::tool);
  return found == nccl_operations.end() ? nullptr : found;
}

std::string nccl_operation_in(std::string_view text) {
  const NcclOperation* found = nullptr;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_letter(text[at - 1])) continue;
    const auto [operation, length] = operation_at_begin(text.substr(at));
    if (operation == nullptr) continue;
    if (found != nullptr && found != operation) return "";
    found = operation;
    at += length - 1;
  }
  return found == nullptr ? "" : std::string(found->tool);
}

std::string nccl_command_in(std::string_view text) {
  constexpr std::string_view suffix = "_perf";
  std::string found;
  for (std::size_t at = text.find(suffix); at != std::string_view::npos;
       at = text.find(suffix, at + suffix.size())) {
    std::size_t begin = at;
    while (begin > 0 && (is_letter(text[begin - 1]) || text[begin - 1] == '_')) --begin;
    const std::string_view name = text.substr(begin, at - begin);
    if (known_nccl_operation(name) == nullptr || (!found.empty() && found != name)) return "";
    found = std::string(name);
  }
  return found;
}

}  // namespace assay::results::peers
