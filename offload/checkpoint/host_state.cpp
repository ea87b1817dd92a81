// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/host_state.hpp"

#include <cstring>

#include "offload/arena_of.hpp"
#include "offload/incompressible.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {

HostState::HostState(std::int64_t bytes) : state_(arena_of(bytes)), snapshot_(arena_of(bytes)) {
  fill_incompressibly(state_.as<std::uint64_t>());
  std::memset(snapshot_.data(), 0, snapshot_.size());
}

void HostState::stamp(std::int64_t number) {
  const auto words = state_.as<std::int64_t>();
  for (std::size_t word = 0; word < words.size(); word += direct_alignment / sizeof(std::int64_t))
    words[word] = number;
}

void HostState::take_snapshot() { std::memcpy(snapshot_.data(), state_.data(), state_.size()); }

host::Arena HostState::content() {
  host::Arena copy = arena_of(bytes());
  std::memcpy(copy.data(), state_.data(), state_.size());
  return copy;
}

void HostState::restore(const std::function<void(std::span<std::byte> memory)>& read) {
  std::memset(state_.data(), 0xff, state_.size());
  read(state_.as<std::byte>());
}

std::optional<std::size_t> HostState::first_difference(std::span<const std::byte> expected) {
  return offload::first_difference(state_.as<std::byte>(), expected);
}

}  // namespace assay::offload
