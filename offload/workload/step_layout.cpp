// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/step_layout.hpp"

#include <fmt/format.h>

#include "harness/core/units.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t transfer_alignment = 256;  // as cudaMalloc aligns

/// The bytes' middle: every transfer and every place has others. Multiplier of Steele et al. 2014 (SplitMix).
std::byte pattern_byte(std::size_t content, std::int64_t at) {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(at) + (content << 40U) + 1) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::byte>(mixed >> 32U);
}

std::int64_t take_place(std::int64_t& end, std::int64_t bytes) {
  const std::int64_t begin = end;
  end += core::rounded_up(bytes, transfer_alignment);
  return begin;
}

}  // namespace

StepLayout::StepLayout(const training::HostStep& step) : step_(step) {
  for (std::size_t at = 0; at < step.transfers.size(); ++at) {
    const training::HostTransfer& one = step.transfers[at];
    Place place{.content = at};
    if (one.brings_back) {
      place.content = *one.brings_back;
      place.from = places_[*one.brings_back].to;
    } else {
      place.from = take_place(one.to_host ? near_bytes_ : far_bytes_, one.bytes);
    }
    place.to = take_place(one.to_host ? far_bytes_ : near_bytes_, one.bytes);
    places_.push_back(place);
  }
}

void StepLayout::fill(std::span<std::byte> near, std::span<std::byte> far) const {
  for (std::size_t at = 0; at < places_.size(); ++at) {
    const training::HostTransfer& one = step_.transfers[at];
    if (one.brings_back) continue;
    const std::span<std::byte> memory = one.to_host ? near : far;
    for (std::int64_t byte = 0; byte < one.bytes; ++byte)
      memory[static_cast<std::size_t>(places_[at].from + byte)] = pattern_byte(at, byte);
  }
}

std::optional<std::string> StepLayout::wrong(std::span<const std::byte> near,
                                             std::span<const std::byte> far) const {
  for (std::size_t at = 0; at < places_.size(); ++at) {
    const training::HostTransfer& one = step_.transfers[at];
    const std::span<const std::byte> memory = one.to_host ? far : near;
    for (std::int64_t byte = 0; byte < one.bytes; ++byte)
      if (memory[static_cast<std::size_t>(places_[at].to + byte)] != pattern_byte(places_[at].content, byte))
        return fmt::format("{} (transfer {}): byte {} is not the one sent", one.name, at, byte);
  }
  return std::nullopt;
}

}  // namespace assay::offload
