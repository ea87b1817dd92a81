// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Content of messages, so that the bytes that were timed can be checked: a stream of numbers per queue pair.
#pragma once

#include <cstdint>
#include <string>

#include "rdma/verbs/memory.hpp"

namespace assay::rdma {

/// Fills `bytes` at `offset` with the content of `seed`, or with its complement (what must not be left over).
void fill(Memory& memory, std::size_t offset, std::size_t bytes, std::uint64_t seed, bool complement = false);

/// Empty where memory holds the content of `seed` (or its complement), else the first byte that differs:
/// "byte 17: expected 0x3c, found 0xc3".
std::string difference(const Memory& memory, std::size_t offset, std::size_t bytes, std::uint64_t seed,
                       bool complement = false);

}  // namespace assay::rdma
