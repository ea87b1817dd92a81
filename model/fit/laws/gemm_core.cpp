// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/gemm_core.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace assay::model::fit {
namespace {

constexpr std::array<Tile, 10> tiles = {Tile{64, 16},   Tile{64, 32},   Tile{64, 64},  Tile{64, 128},
                                        Tile{128, 64},  Tile{128, 128}, Tile{64, 256}, Tile{128, 192},
                                        Tile{128, 256}, Tile{256, 128}};

// 1 GB/s is 1e3 bytes/us; 1 TFLOP/s is 1e6 FLOP/us.
constexpr double bytes_per_us_of_gb = 1e3, flop_per_us_of_tflop = 1e6;

double best_tile_us(const GemmShape& shape, const GemmDevice& device, double flop_per_us,
                    double bytes_per_us) {
  double best = std::numeric_limits<double>::infinity();
  for (const Tile& tile : tiles) {
    const double count = std::ceil(shape.m / tile.rows) * std::ceil(shape.n / tile.columns);
    const double waves = std::ceil(count / device.multiprocessors);
    const double flop = 2 * tile.rows * tile.columns * shape.k;
    const double bytes = (tile.rows + tile.columns) * shape.k * device.operand_bytes;
    const double tile_us = device.multiprocessors * (flop / flop_per_us + bytes / bytes_per_us);
    best = std::min(best, waves * tile_us);
  }
  return best;
}

}  // namespace

std::span<const Tile> hopper_tiles() { return tiles; }

std::string to_string(GemmFormula formula) { return formula == GemmFormula::roofline ? "roofline" : "waves"; }

std::optional<GemmFormula> gemm_formula_named(const std::string& name) {
  for (const GemmFormula formula : {GemmFormula::roofline, GemmFormula::waves})
    if (to_string(formula) == name) return formula;
  return std::nullopt;
}

std::vector<std::string> coefficient_names(GemmFormula formula) {
  if (formula == GemmFormula::roofline) return {"launch_us", "tflop_per_s", "gb_per_s"};
  return {"launch_us", "tflop_per_s", "gb_per_s", "operand_gb_per_s"};
}

double gemm_bytes(const GemmShape& shape, const GemmDevice& device) {
  return shape.batch * (device.operand_bytes * (shape.m * shape.k + shape.k * shape.n) +
                        device.result_bytes * shape.m * shape.n);
}

double gemm_core_us(GemmFormula formula, const GemmShape& shape, const GemmDevice& device,
                    std::span<const double> coefficients) {
  const double flop_per_us = coefficients[1] * flop_per_us_of_tflop;
  const double moving_us = gemm_bytes(shape, device) / (coefficients[2] * bytes_per_us_of_gb);
  const double computing_us =
      formula == GemmFormula::roofline
          ? shape.flop() / flop_per_us
          : best_tile_us(shape, device, flop_per_us, coefficients[3] * bytes_per_us_of_gb);
  return coefficients[0] + std::max(moving_us, computing_us);
}

std::optional<GemmDevice> device_for(const std::string& dtype, double multiprocessors) {
  static const std::map<std::string, double> bytes = {
      {"fp64", 8},     {"fp32", 4},     {"tf32", 4},      {"fp16", 2}, {"bf16", 2},
      {"fp8_e4m3", 1}, {"fp8_e5m2", 1}, {"fp8_block", 1}, {"int8", 1}, {"nvfp4", 0.5}};
  const auto found = bytes.find(dtype);
  if (found == bytes.end()) return std::nullopt;
  return GemmDevice{multiprocessors, found->second, std::max(found->second, 2.0)};
}

}  // namespace assay::model::fit
