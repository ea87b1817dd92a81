// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The bound on a link's bit error rate that bits moved with few errors or none prove, and how long a proof
// takes.
#pragma once

#include <cstdint>
#include <string>

namespace assay::link {

inline constexpr double dose_confidence = 0.95;

/// Upper limit of the bit error rate after `bits` moved, by core::poisson_upper_limit; 1 at most. Errors not
/// negative, `confidence` in (0, 1); a usage Error otherwise, in all functions here.
double error_rate_bound(double bits, std::int64_t errors, double confidence = dose_confidence);

/// Bits to move with `errors` errors before the rate is proven to be below `bound`, in (0, 1).
double bits_to_prove(double bound, std::int64_t errors = 0, double confidence = dose_confidence);
double seconds_to_prove(double bound, double gbit_per_s, std::int64_t errors = 0,
                        double confidence = dose_confidence);

struct ErrorDose {
  double bits = 0;
  double seconds = 0;
  std::int64_t errors = 0;
};

/// "bit error rate below 1e-14, 95 %, after 12.5 min at 400 Gb/s", rate and time as they were; with errors:
/// ", 2 errors".
std::string describe(const ErrorDose& dose, double confidence = dose_confidence);

/// The time that a run asked for a bound still needs at the rate so far: "proven below 1e-14; below 1e-15
/// after 1 h 52 min more". `bound` is what was asked for.
std::string describe_progress(const ErrorDose& dose, double bound, double confidence = dose_confidence);

}  // namespace assay::link
