// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Student's t distribution and the normal one, as far as tests of means need them.
#pragma once

namespace assay::core {

/// P(T <= t) of t with `degrees` (> 0) degrees of freedom.
double student_t_probability(double t, double degrees);
/// The t with student_t_probability(t, degrees) equal to `probability`, which is within (0, 1).
double student_t_quantile(double probability, double degrees);
/// P(Z <= z) of the standard normal distribution.
double normal_probability(double z);
/// The z with normal_probability(z) equal to `probability`; infinite at 0 and 1.
double normal_quantile(double probability);

}  // namespace assay::core
