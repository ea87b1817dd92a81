// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/exporters.hpp"

#include <algorithm>
#include <utility>

#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::exporters {
namespace {

bool has_option(const std::vector<std::string_view>& options, std::string_view option) {
  return std::ranges::find(options, option) != options.end();
}

/// Doubts about the rows that the request brings, in any of its tables.
std::vector<std::string> doubts_of(const ExportRequest& request) {
  std::vector<std::string> all;
  const auto add = [&](std::vector<std::string> doubts) {
    for (std::string& doubt : doubts) all.push_back(std::move(doubt));
  };
  if (request.gemm) add(fit::read_gemm_timings(*request.gemm).doubts);
  if (request.collectives) add(fit::read_collective_timings(*request.collectives).doubts);
  if (request.memory) add(fit::read_size_timings(*request.memory).doubts);
  return all;
}

}  // namespace

Exported exported(const Exporter& exporter, const ExportRequest& request) {
  Exported made = exporter.write(request);
  std::vector<std::string> notes = doubts_of(request);
  notes.insert(notes.end(), made.notes.begin(), made.notes.end());
  made.notes = std::move(notes);
  return made;
}

bool Exporter::takes(std::string_view option) const {
  return option == coefficients_option || has_option(uses, option) ||
         (reads_network && has_option(network_options, option)) ||
         std::ranges::find(own, option, &OwnOption::flag) != own.end();
}

const Exporter* exporter_named(std::string_view name) {
  const auto found = std::ranges::find(exporters(), name, &Exporter::name);
  return found == exporters().end() ? nullptr : &*found;
}

}  // namespace assay::model::exporters
