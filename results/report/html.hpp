// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML that pages are put together from: sections, places of charts, tables, lists of facts.
#pragma once

#include <string>

#include "results/show/facts.hpp"
#include "results/table/escaped_html.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// An attribute that the CSV of a table, or of a row, makes its column of: ' data-origin="imported"'.
std::string origin_data(const std::string& origin);
/// JSON that may be inside a script element: no "<" survives.
std::string script_json(const nlohmann::ordered_json& json);
/// <table> with header scopes, in a box that scrolls by itself; notes below. Rows whose status cell is not ok
/// are marked by class.
std::string html_table(const Table& table);
std::string html_facts(const Facts& facts);
std::string html_note(const std::string& text);

std::string section(const std::string& id, const std::string& title, const std::string& content);
/// A section each.
std::string sections_of(const std::vector<Table>& tables);
/// The place of a chart that results/report/main.ts draws; "" in a build without charts.
std::string figure(const std::string& name, const std::string& title, const std::string& caption);
/// The numbers of a chart as a table, shut where the chart is there.
std::string numbers(const std::string& what, const Table& table);

}  // namespace assay::results
