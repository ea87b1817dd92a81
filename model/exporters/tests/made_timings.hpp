// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Timings made of known links and rates, and files of the tools to put what is fitted into.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "model/exporters/exporters.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::exporters {

using fit::CsvSource;

inline constexpr double gib = 1073741824;
inline constexpr const char* columns = "op,ranks,size_bytes,dtype,time_us\n";
inline constexpr int least_power = 12, most_power = 28;  // of the sizes

/// The output of the exporter of that name.
Exported made_by(std::string_view exporter, const ExportRequest& request);

/// A ring of 8 with 1 us a step and 200e9 bytes/s, and what a tool adds.
double ring_us(const std::string& operation, double bytes, double fixed_us = 0);
/// `more` are rows as they stand in the CSV.
CsvSource ring(std::initializer_list<const char*> operations, double fixed_us = 0, const char* more = "");

/// 500e12 FLOP/s and 2e12 bytes/s, of 2-byte elements.
double gemm_us(double m, double n, double k);
CsvSource gemms(const char* dtype = "bf16");

/// all_reduce of 8 from 1 KiB to 512 MiB: 200e9 bytes/s of the ring, and never less than 12 us.
std::string floored();

extern const char* const genz_base;
extern const char* const llm_base;
extern const char* const aic_base;

}  // namespace assay::model::exporters
