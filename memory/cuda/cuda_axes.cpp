// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_axes.hpp"

#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "memory/cuda/cuda_geometry.hpp"

namespace assay::memory {
namespace {

using core::gib;
using core::kib;
using core::mib;

}  // namespace

// Fixed footprints, so that the keys of points are the same on every machine; the L2 of an H100 is 50 MB, and
// where a point fell is in the conditions l2_bytes and cache_state.
std::vector<core::Axis> cuda_stream_axes() {
  const core::Axis bytes = {
      .name = "bytes",
      .meaning = "footprint: all arrays together; memory: far beyond the L2",
      .domain = core::Domain::sizes,
      .values = {4 * mib, 16 * mib, 32 * mib, 48 * mib, 64 * mib, 128 * mib, 256 * mib, 1 * gib, 4 * gib},
      .aliases = {{"memory", 4 * gib}}};
  const core::Axis cache_state = {
      .name = core::names::cache_state,
      .meaning =
          "hot: the same arrays again and again; cold: 3 times the L2 goes by before an array is used again",
      .domain = core::Domain::words,
      .values = {"hot", "cold"},
      .choices = {"hot", "cold"}};
  return {cuda::gpu_axis(), bytes, cache_state};
}

CudaStreamSettings cuda_stream_settings(const core::Point& point, int arrays) {
  const std::int64_t bytes = point.integer("bytes");
  static_cast<void>(array_bytes(bytes, arrays));  // refuses what is too small
  return {.bytes = bytes,
          .hot = point.text(core::names::cache_state) == "hot",
          .by_bulk = point.has("mover") && point.text("mover") == "tma",
          .place = {cuda::gpu_of(point)}};
}

core::Axis cuda_ladder_axis() {
  return {.name = "bytes",
          .meaning = "footprint of the cycle; memory: far beyond the L2",
          .domain = core::Domain::sizes,
          .values = {32 * kib, 128 * kib, 1 * mib, 8 * mib, 24 * mib, 40 * mib, 64 * mib, 256 * mib, 1 * gib,
                     4 * gib},
          .aliases = {{"memory", 4 * gib}}};
}

}  // namespace assay::memory
