// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients/foresee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/core/error.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fit {
namespace {

std::optional<double> bound(const CsvTable& table, std::size_t row, const char* column) {
  if (!table.has(column)) return std::nullopt;
  return table.positive(row, column);
}

/// `predict(row)` gives what it is and the prediction.
template <class Row, class Content, class Predict>
std::vector<Foreseen> each(const Timings<Row>& timings, const Content& content, Predict predict) {
  const bool same_machine = content.provenance.machine == timings.machine;
  std::vector<Foreseen> all;
  for (const Row& row : timings.rows) {
    Foreseen one = predict(row);
    one.row = row.table_row;
    one.measured_us = row.time_us;
    one.lower_us = bound(timings.table, row.table_row, "time_min_us");
    one.upper_us = bound(timings.table, row.table_row, "time_max_us");
    one.seen = same_machine && content.seen.contains_row(row);
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Foreseen> of_gemm(const std::string& path, const CsvSource& rows) {
  const GemmCoefficients content = read_gemm_coefficients(path);
  return each(read_gemm_timings(rows), content, [&](const GemmRow& row) {
    Foreseen one{.what = fmt::format("{} {:.0f} x {:.0f} x {:.0f}", row.group(), row.shape.m, row.shape.n,
                                     row.shape.k)};
    const auto model = content.models.find(row.group());
    if (model != content.models.end()) one.predicted_us = model->second.time_us(row.shape);
    return one;
  });
}

/// The row as if the fitted machine had measured it.
CollectiveRow on(const std::string& machine, CollectiveRow row) {
  row.system = machine + row.system.substr(std::min(row.system.find('/'), row.system.size()));
  return row;
}

std::vector<Foreseen> of_collectives(const std::string& path, const CsvSource& rows) {
  const CollectiveCoefficients content = read_collective_coefficients(path);
  return each(read_collective_timings(rows), content, [&](const CollectiveRow& measured) {
    const CollectiveRow row = on(content.provenance.machine, measured);
    Foreseen one{.what = fmt::format("{} {:.0f} bytes", measured.curve(), measured.size_bytes)};
    const std::string family = content.models.family_of(row);
    if (content.models.curve(family, row.dtype) != nullptr)
      one.predicted_us = content.models.time_us(family, row.dtype, row.size_bytes);
    return one;
  });
}

std::string without_gpu(const std::string& curve) {
  std::istringstream words(curve);
  std::string rest;
  for (std::string word; words >> word;)
    if (!word.starts_with("gpu=")) rest += " " + word;
  return rest;
}

std::vector<Foreseen> of_sizes(const std::string& path, const CsvSource& rows) {
  const SizeCoefficients content = read_size_coefficients(path);
  std::map<std::string, const std::vector<Segment>*> of_any_gpu;
  for (const auto& [name, segments] : content.curves) of_any_gpu.try_emplace(without_gpu(name), &segments);
  return each(read_size_timings(rows), content, [&](const SizeRow& row) {
    Foreseen one{.what = fmt::format("{} {:.0f} bytes", row.curve(), row.size_bytes)};
    const auto own = content.curves.find(row.curve());
    const auto other = of_any_gpu.find(without_gpu(row.curve()));
    if (own != content.curves.end())
      one.predicted_us = segments_us(own->second, row.size_bytes);
    else if (other != of_any_gpu.end())
      one.predicted_us = segments_us(*other->second, row.size_bytes);
    return one;
  });
}

/// A latency by the first way of posting that its operation was fitted with: they share L and o.
std::vector<Foreseen> of_messages(const std::string& path, const CsvSource& rows) {
  const LogGpCoefficients content = read_loggp_coefficients(path);
  Timings<VerbsRow> timings = read_verbs_timings(rows);
  std::erase_if(timings.rows, [](const VerbsRow& row) { return row.kind == VerbsRow::Kind::overhead; });
  return each(timings, content, [&](const VerbsRow& row) {
    const bool latency = row.kind == VerbsRow::Kind::latency;
    const std::string name = latency ? row.link() : loggp_name(row);
    Foreseen one{.what =
                     fmt::format("{} {} {:.0f} bytes", name, latency ? "latency" : "stream", row.size_bytes)};
    const auto model = std::ranges::find_if(content.links, [&](const auto& link) {
      return latency ? link.first.starts_with(name + ", ") : link.first == name;
    });
    if (model != content.links.end()) one.predicted_us = model->second.time_us(row.kind, row.size_bytes);
    return one;
  });
}

}  // namespace

std::vector<Foreseen> foresee(const std::string& coefficients_path, const CsvSource& rows) {
  const CoefficientsKind kind = kind_of_coefficients(coefficients_path);
  switch (kind) {
    case CoefficientsKind::gemm:
      return of_gemm(coefficients_path, rows);
    case CoefficientsKind::collectives:
      return of_collectives(coefficients_path, rows);
    case CoefficientsKind::memory:
    case CoefficientsKind::vector:
    case CoefficientsKind::links:
      return of_sizes(coefficients_path, rows);
    case CoefficientsKind::loggp:
      return of_messages(coefficients_path, rows);
    case CoefficientsKind::interference:
    case CoefficientsKind::overlap:
      break;
  }
  core::usage_error(coefficients_path + ": coefficients of " + to_string(kind) + " predict no time");
}

}  // namespace assay::model::fit
