// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The waves in which equal blocks of work go over a GPU's multiprocessors, with all of them and with some
// taken. A prediction, for blocks that fill a multiprocessor each.
#pragma once

#include <cstdint>

namespace assay::offload {

constexpr std::int64_t waves(std::int64_t blocks, std::int64_t sms) { return (blocks + sms - 1) / sms; }

/// How many times as long the same blocks take once `taken` of `sms` multiprocessors are gone: waves then
/// over waves before. `taken` below `sms`.
constexpr double tail_wave_slowdown(std::int64_t blocks, std::int64_t sms, std::int64_t taken) {
  return static_cast<double>(waves(blocks, sms - taken)) / static_cast<double>(waves(blocks, sms));
}

}  // namespace assay::offload
