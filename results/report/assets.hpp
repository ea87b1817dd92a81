// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files of results/report, put into the program by CMake.
#pragma once

#include <string_view>

namespace assay::results::assets {

extern const std::string_view shell_html;  // {{name}} marks what results/report/report.cpp fills in
extern const std::string_view style_css;
extern const std::string_view charts_js;  // empty where charts were not built

}  // namespace assay::results::assets
