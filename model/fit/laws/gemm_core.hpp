// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parametric part of GEMM time: a few coefficients with a meaning each, by one of two formulas.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// `roofline`: launch + max(FLOP / peak, bytes / bandwidth).
/// `waves`: launch + max(bytes / bandwidth, the best tile's waves x (FLOP of a tile / peak + its operands /
/// stream)), peak and stream being of one multiprocessor times their number. A wave is a tile on every
/// multiprocessor.
enum class GemmFormula { roofline, waves };

std::string to_string(GemmFormula formula);
std::optional<GemmFormula> gemm_formula_named(const std::string& name);

/// launch_us, tflop_per_s, gb_per_s, and with waves operand_gb_per_s.
std::vector<std::string> coefficient_names(GemmFormula formula);

/// Rows and columns of C that one multiprocessor makes at a time.
struct Tile {
  double rows = 0, columns = 0;
};
/// The tiles of cuBLASLt for Hopper (results of its heuristic, not a promise of it).
std::span<const Tile> hopper_tiles();

/// Inputs of the formulas besides the shape.
struct GemmDevice {
  double multiprocessors = 132;  // of an H100 SXM
  double operand_bytes = 2, result_bytes = 2;
};

/// Bytes of A, B and C of every product, each moved once.
double gemm_bytes(const GemmShape& shape, const GemmDevice& device);

double gemm_core_us(GemmFormula formula, const GemmShape& shape, const GemmDevice& device,
                    std::span<const double> coefficients);

/// Bytes of an operand and of the result (fp8 and int8 results are held as 2 bytes); nothing for an unknown
/// dtype.
std::optional<GemmDevice> device_for(const std::string& dtype, double multiprocessors);

}  // namespace assay::model::fit
