// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Words by which a file of coefficients is known.
#pragma once

namespace assay::model::fit {

inline constexpr const char* coefficients_schema = "assay-coefficients";
inline constexpr const char* kind_of_all = "all";

}  // namespace assay::model::fit
