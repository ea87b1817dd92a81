// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The sections of a run's report that show what was measured: a table of charts and tables which report.cpp
// walks. A new one is a row here, and its chart one .cpp and one .ts in charts/. Private to the report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/points/run_points.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// The place of a chart; left out where its data holds nothing to draw.
struct Figure {
  const char* name;     // of the drawer in charts/*.ts, and of its data
  const char* label;    // of the picture; null: the title of the section's first table
  const char* caption;  // HTML; null: no picture, but data that another one draws
  nlohmann::ordered_json (*data)(const RunPoints&);
};

/// A table of the charts' numbers, and of those that no chart has; left out where it has no rows.
struct SectionTable {
  const char* what;  // "Bandwidth": folded away as "Bandwidth as a table"; null: open
  Table (*table)(const RunPoints&);
  const char* shown_as = nullptr;  // the table of assay show with the same rows
};

struct Section {
  const char* id;
  const char* title;
  std::vector<Figure> figures;
  std::vector<SectionTable> tables;
};

/// All sections, in the order of the page.
const std::vector<Section>& sections();

/// The data that the charts draw, by the names of the figures: no formatting, no HTML. The tables hold the
/// same numbers.
nlohmann::ordered_json report_data(const RunPoints& run);
/// "" where there is neither figure nor row. `data`: as report_data() gives it.
std::string section_html(const Section& section, const RunPoints& run, const nlohmann::ordered_json& data);

inline constexpr std::int64_t rows_at_most = 5000;  // of one table
/// Leaves rows_at_most rows, and names the command that writes `rows`, which is all of them.
void cut_to_page(Table& table, const std::string& shown_as, const std::string& run_id, std::int64_t rows);

}  // namespace assay::results
