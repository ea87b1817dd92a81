// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Products of tiles (Intel SDM, volume 1, chapter 18): four accumulators cover a latency of 52 cycles at one
// product in 16, and leave four tiles for operands.
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

#include "gemm/host/peak_loops.hpp"

namespace assay::gemm {
namespace {

constexpr int tile_rows = 16, row_bytes = 64, accumulators = 4, tiles = 8;

struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes_a_row[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

/// The kernel gives a process tiles only once it asks (Linux, Documentation/arch/x86/xstate.rst).
bool may_use_tiles() {
  constexpr long request_permission = 0x1023, tile_data = 18;
  static const bool may = syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  return may;
}

TileConfig whole_tiles() {
  TileConfig config;
  for (int tile = 0; tile < tiles; ++tile)
    config.bytes_a_row[tile] = row_bytes, config.rows[tile] = tile_rows;
  return config;
}

/// Loads tiles for any type: the operands are the same 2 bytes, or byte, all over.
__attribute__((target("amx-tile"))) void load_tiles(std::uint16_t operand) {
  const TileConfig config = whole_tiles();
  alignas(64) std::array<std::uint16_t, tile_rows * row_bytes / 2> values;
  values.fill(operand);
  asm volatile("" : : "r"(&config), "r"(values.data()) : "memory");  // the instructions read all of both
  _tile_loadconfig(&config);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, values.data(), row_bytes);
  _tile_loadd(5, values.data(), row_bytes);
  _tile_loadd(6, values.data(), row_bytes);
  _tile_loadd(7, values.data(), row_bytes);
}

__attribute__((target("amx-tile,amx-bf16"))) void tile_products_bf16(std::int64_t rounds) {
  load_tiles(0x3a83);  // 1e-3
  for (std::int64_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
}

__attribute__((target("amx-tile,amx-int8"))) void tile_products_int8(std::int64_t rounds) {
  load_tiles(0x0101);  // 1 and 1
  for (std::int64_t round = 0; round < rounds; ++round) {
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
  }
  _tile_release();
}

/// FLOPs of a round: every row of A with every column of B, over the elements of a row.
constexpr double of_tiles(int elements_a_row) {
  return 2.0 * accumulators * tile_rows * (row_bytes / 4) * elements_a_row;
}

}  // namespace

PeakLoop amx_bf16_loop() {
  return {"amx_bf16", "tdpbf16ps, 16 x 64 byte tiles", of_tiles(row_bytes / 2), tile_products_bf16,
          may_use_tiles};
}

PeakLoop amx_int8_loop() {
  return {"amx_int8", "tdpbssd, 16 x 64 byte tiles", of_tiles(row_bytes), tile_products_int8, may_use_tiles};
}

}  // namespace assay::gemm
