// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_vector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "harness/core/error.hpp"

namespace assay::model {
namespace {

constexpr double s_per_us = 1e-6;

double row_of(const std::string& path, const std::string& curve, const std::string& columns) {
  double row = 0;
  const char* const end = columns.data() + columns.size();
  const auto [stopped, error] = std::from_chars(columns.data(), end, row);
  if (error != std::errc{} || stopped != end || !(row >= 1))
    core::usage_error(
        fmt::format("{}: models: '{}': expected columns=N, of 1 or more, got '{}'", path, curve, columns));
  return row;
}

template <class Names>
std::optional<std::size_t> place_in(const Names& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

double MeasuredVector::seconds(double bytes) const {
  const double share = std::min(bytes / from_bytes(), 1.0);
  return s_per_us *
         std::max(fit::segments_us(segments, bytes), share * segments.front().time_us(from_bytes()));
}

const fit::Segment& MeasuredVector::segment(double bytes) const {
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &fit::Segment::to_bytes);
  return found == segments.end() ? segments.back() : *found;
}

VectorName::VectorName(const std::string& curve) {
  std::istringstream words(curve);
  std::string operation;
  words >> operation;
  const std::size_t dot = operation.rfind('.');
  kernel = operation.substr(dot + 1);  // npos + 1 is 0
  rest = dot == std::string::npos ? "" : operation.substr(0, dot);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string axis = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (axis == "dtype")
      dtype = value;
    else if (axis == "pass")
      pass = value;
    else if (axis == "columns")
      columns = value;
    else
      rest += (rest.empty() ? "" : " ") + word;
  }
}

std::vector<VectorCurve> vector_curves(const std::string& path, const std::string& machine,
                                       const std::map<std::string, std::vector<fit::Segment>>& fitted,
                                       const std::string& dtype, double width) {
  std::vector<VectorCurve> curves;
  std::optional<std::string> conditions;
  for (const auto& [text, segments] : fitted) {
    const VectorName name(text);
    const auto kernel = place_in(core::vector_kernel_names, name.kernel);
    const auto pass = place_in(core::vector_pass_names, name.pass);
    if (name.dtype != dtype || !kernel || !pass) continue;
    if (conditions && *conditions != name.rest)
      core::usage_error(
          fmt::format("{}: vector kernels of {} are of '{}' and of '{}': fit one of them (--filter)", path,
                      dtype, *conditions, name.rest));
    conditions = name.rest;
    const auto source = std::make_shared<const MeasuredVector>(MeasuredVector{path, machine, text, segments});
    curves.push_back({.kernel = static_cast<VectorKernel>(*kernel),
                      .pass = static_cast<VectorPass>(*pass),
                      .width = width,
                      .row = row_of(path, text, name.columns),
                      .seconds = [source](const VectorCall& call) { return source->seconds(call.bytes); },
                      .source = source});
  }
  return curves;
}

}  // namespace assay::model
