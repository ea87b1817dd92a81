// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The frame of every report: head, style, verdict, body, data and script in one file. Private to the report.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::results {

struct Page {
  std::string title, heading, origin;  // plain text
  std::vector<std::string> hardware;   // plain text, a line each
  std::string summary;                 // plain text
  std::string verdict, body;           // HTML
  nlohmann::ordered_json data;         // of the charts, by name of the figure
};

std::string page_html(const Page& page);

}  // namespace assay::results
