// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/operation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::rdma {
namespace {

constexpr std::array<const char*, operation_count> operations{"write", "write_imm", "send",
                                                              "read",  "fetch_add", "compare_swap"};
constexpr std::array<const char*, 3> transports{"rc", "uc", "ud"};

template <std::size_t N>
std::size_t index_of(const std::array<const char*, N>& words, const std::string& word, const char* what) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end())
    core::usage_error(fmt::format("unknown {} '{}' (there are: {})", what, word, fmt::join(words, " ")));
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace

std::vector<std::string> operation_words() { return {operations.begin(), operations.end()}; }
std::vector<std::string> transport_words() { return {transports.begin(), transports.end()}; }
Operation operation_from(const std::string& word) {
  return static_cast<Operation>(index_of(operations, word, "operation"));
}
Transport transport_from(const std::string& word) {
  return static_cast<Transport>(index_of(transports, word, "transport"));
}
std::string to_string(Operation operation) { return operations[static_cast<std::size_t>(operation)]; }
std::string to_string(Transport transport) { return transports[static_cast<std::size_t>(transport)]; }

std::string illegal(Operation operation, Transport transport) {
  const bool legal = transport == Transport::rc || operation == Operation::send ||
                     (transport == Transport::uc && !fetches(operation));
  return legal ? std::string()
               : fmt::format("{} has no {} (InfiniBand specification 1.4, table 38)",
                             transport == Transport::uc ? "UC" : "UD", to_string(operation));
}

}  // namespace assay::rdma
