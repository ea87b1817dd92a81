// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML: escaped text, tables, lists of facts.
#pragma once

#include <string>

#include "results/show/facts.hpp"
#include "results/table/escaped_html.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// JSON that may stand inside a script element: no "<" survives.
std::string script_json(const nlohmann::ordered_json& json);
/// <table> with header scopes, in a box that scrolls by itself; notes below. Rows whose status cell is not ok
/// are marked by class.
std::string html_table(const Table& table);
std::string html_facts(const Facts& facts);

}  // namespace assay::results
