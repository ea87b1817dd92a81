// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The waves in which equal blocks of work go over a GPU's multiprocessors, with all of them and with some
// taken. Predictions, for thread blocks that fill a multiprocessor each and are placed one by one: a cluster
// waits for neighbours that are free together. Which of the two a library's kernel is, is unknown.
#pragma once

#include <algorithm>
#include <cstdint>

namespace assay::offload {

constexpr std::int64_t waves(std::int64_t blocks, std::int64_t sms) { return (blocks + sms - 1) / sms; }

/// Slowdown of a kernel that starts a thread block for every block of work, once `taken` of `sms`
/// multiprocessors are gone: the quotient of waves then and waves before. `taken` below `sms`.
constexpr double tail_wave_slowdown(std::int64_t blocks, std::int64_t sms, std::int64_t taken) {
  return static_cast<double>(waves(blocks, sms - taken)) / static_cast<double>(waves(blocks, sms));
}
/// Slowdown of a persistent kernel, which starts a thread block for every multiprocessor and divides the work
/// among them beforehand: those that find no place begin when others have ended.
constexpr double persistent_slowdown(std::int64_t blocks, std::int64_t sms, std::int64_t taken) {
  return static_cast<double>(waves(std::min(blocks, sms), sms - taken));
}

}  // namespace assay::offload
