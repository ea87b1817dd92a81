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

constexpr std::array<const char*, 6> operations{"write", "write_imm", "send",
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

ibv_wr_opcode opcode_of(Operation operation) {
  constexpr std::array codes{IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM,  IBV_WR_SEND,
                             IBV_WR_RDMA_READ,  IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP};
  static_assert(codes.size() == operations.size());
  return codes[static_cast<std::size_t>(operation)];
}

ibv_qp_type type_of(Transport transport) {
  constexpr std::array types{IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD};
  return types[static_cast<std::size_t>(transport)];
}

}  // namespace assay::rdma
