// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verbs operations and transports, and which goes over which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::rdma {

enum class Operation { write, write_imm, send, read, fetch_add, compare_swap };
inline constexpr std::size_t operation_count = 6;
enum class Transport { rc, uc, ud };

std::vector<std::string> operation_words();         // "write", "write_imm", ... as axes and records name them
std::vector<std::string> transport_words();         // "rc", "uc", "ud"
Operation operation_from(const std::string& word);  // a usage Error on another word
Transport transport_from(const std::string& word);
std::string to_string(Operation operation);
std::string to_string(Transport transport);

/// Why this transport has no such operation, empty where it has. Source: InfiniBand Architecture
/// Specification 1.4, table 38.
std::string illegal(Operation operation, Transport transport);

constexpr bool atomic(Operation operation) {
  return operation == Operation::fetch_add || operation == Operation::compare_swap;
}
/// The responder needs a receive posted and gets a completion.
constexpr bool consumes_receive(Operation operation) {
  return operation == Operation::send || operation == Operation::write_imm;
}
/// Bytes travel from the responder to the initiator.
constexpr bool fetches(Operation operation) { return operation == Operation::read || atomic(operation); }

inline constexpr std::int64_t atomic_bytes = 8;
inline constexpr std::int64_t ud_header_bytes = 40;  // the GRH that precedes a datagram in its receive buffer

}  // namespace assay::rdma
