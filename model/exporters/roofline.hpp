// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GEMMs as tools without efficiency curves know them: the longer of FLOP / rate and bytes / bandwidth.
#pragma once

#include <string>

#include "model/exporters/exported.hpp"

namespace assay::model::exporters {

struct Roofline {
  std::string dtype;
  FittedFormula fitted;

  double tflop_per_s() const { return fitted.value(0); }  // 1e12, reached
  double gb_per_s() const { return fitted.value(1); }     // 1e9 bytes, reached
};

inline constexpr std::size_t fewest_roofline_rows = 8;

/// Fits the GEMMs of the request, which must be of one dtype and layout; bytes are (mn + mk + nk) elements,
/// as in the GEMM fits. Throws a usage error for others.
Roofline fit_roofline(const ExportRequest& request);

/// reached / declared; a usage error naming `key` where it is above 1.
double efficiency_of(double reached, double declared, const std::string& base, const char* key);

}  // namespace assay::model::exporters
