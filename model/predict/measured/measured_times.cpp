// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

#include "harness/core/error.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/measured/collective_fits.hpp"
#include "model/predict/measured/measured_collective.hpp"
#include "model/predict/measured/measured_products.hpp"
#include "model/predict/measured/measured_vector.hpp"

namespace assay::model {
namespace {

constexpr std::array<std::string_view, 4> fit_names{"fp8_e4m3", "fp16", "bf16", "fp32"};

/// The dtype of the execution, and the one whose times price it.
struct Pricing {
  std::string own, by;

  std::string stand_in() const { return by == own ? "" : fmt::format("{} in place of {}", by, own); }
};

[[noreturn]] void refuse(const std::string& path, const std::string& expected, const Pricing& pricing,
                         const std::set<std::string>& found) {
  core::usage_error(fmt::format("{}: {}, got {}{}", path, expected, fmt::join(found, ", "),
                                pricing.by == pricing.own && !found.contains(pricing.own)
                                    ? "; --coefficients-dtype takes another's"
                                    : ""));
}

/// Keeps the groups on GPUs if there are also some on hosts, as in a node's calibration: the GPUs' price a
/// step.
void keep_gpu(std::vector<std::string>& groups) {
  const auto of_gpu = [](const std::string& group) {
    const std::string words = group + " ";
    return words.find("/cuda ") != std::string::npos || words.find(" cuda ") != std::string::npos;
  };
  if (std::ranges::any_of(groups, of_gpu)) std::erase_if(groups, std::not_fn(of_gpu));
}

std::vector<std::string> layouts_of(const fit::GemmCoefficients& coefficients, std::string_view dtype) {
  std::vector<std::string> found;
  for (const auto& [group, model] : coefficients.models)
    if (group == dtype || (group.starts_with(std::string(dtype) + "/") &&
                           !fit::is_batched_layout(group.substr(dtype.size() + 1))))
      found.push_back(group);
  keep_gpu(found);
  return found;
}

/// Keeps the forward pass's layout, TN, of groups that differ only in the layout of a training pass: it
/// prices all.
void keep_forward(std::vector<std::string>& groups) {
  const std::vector<std::string> all = groups;
  std::erase_if(groups, [&](std::string group) {
    const std::size_t at = std::min(group.find(" NN "), group.find(" NT "));
    if (at == std::string::npos) return false;
    return std::ranges::count(all, group.replace(at, 4, " TN ")) > 0;
  });
}

/// The group of one of attention's products in the layout that `assay export gemm-timings` gives it; none
/// where the file has none. Throws where it has several.
std::vector<MeasuredGroup> attention_group(const std::string& path, const fit::GemmCoefficients& coefficients,
                                           const std::string& dtype, const char* product) {
  const std::string begin = fmt::format("{}/batched/{}", dtype, product);
  std::vector<std::string> groups;
  for (const auto& [group, model] : coefficients.models)
    if (group == begin || group.starts_with(begin + " ")) groups.push_back(group);
  keep_gpu(groups);
  if (groups.size() > 1)
    core::usage_error(fmt::format("{}: expected one group of {}, got {} and {}; assay fit takes --filter",
                                  path, begin, groups[0], groups[1]));
  std::vector<MeasuredGroup> found;
  for (const std::string& group : groups) found.push_back({group, coefficients.models.at(group)});
  return found;
}

/// Both or none: half of attention measured and half by a table would add up to neither.
std::vector<MeasuredGroup> attention_groups(const std::string& path,
                                            const fit::GemmCoefficients& coefficients,
                                            const std::string& dtype) {
  std::vector<MeasuredGroup> found = attention_group(path, coefficients, dtype, "scores");
  const std::vector<MeasuredGroup> context = attention_group(path, coefficients, dtype, "context");
  found.insert(found.end(), context.begin(), context.end());
  return found.size() == 2 ? found : std::vector<MeasuredGroup>{};
}

MeasuredTimes read_products(const std::string& path, const Pricing& pricing) {
  const fit::GemmCoefficients coefficients = fit::read_gemm_coefficients(path);
  std::vector<std::string> layouts = layouts_of(coefficients, pricing.by);
  keep_forward(layouts);
  if (layouts.size() != 1) {
    std::set<std::string> all;
    for (const auto& [group, model] : coefficients.models) all.insert(group);
    refuse(path, fmt::format("expected coefficients of {} in one layout", pricing.by), pricing, all);
  }
  const std::string& machine = coefficients.provenance.machine;
  return {.machine = machine,
          .origin = coefficients.provenance.origin,
          .stand_in = pricing.stand_in(),
          .products = std::make_shared<const MeasuredProducts>(
              MeasuredProducts{{layouts.front(), coefficients.models.at(layouts.front())},
                               path,
                               machine,
                               attention_groups(path, coefficients, pricing.by)})};
}

std::set<std::string> dtypes_of(const fit::CollectiveModels& models) {
  std::set<std::string> dtypes;
  for (const auto& [name, family] : models.families)
    for (const auto& [dtype, curve] : family.curves) dtypes.insert(dtype);
  return dtypes;
}

MeasuredTimes read_collectives(const std::string& path, const Pricing& pricing) {
  const fit::CollectiveCoefficients coefficients = fit::read_collective_coefficients(path);
  MeasuredTimes times{.machine = coefficients.provenance.machine,
                      .origin = coefficients.provenance.origin,
                      .stand_in = pricing.stand_in(),
                      .collectives = fitted_curves(path, coefficients, pricing.by),
                      .laws = fitted_laws(path, coefficients, pricing.by)};
  if (times.collectives.empty())
    refuse(path, fmt::format("expected collectives of {}", pricing.by), pricing,
           dtypes_of(coefficients.models));
  return times;
}

/// The head of a model works in fp32, so that a wider dtype's curves come along where the file has them.
MeasuredTimes read_vectors(const std::string& path, Datatype datatype, const Pricing& pricing) {
  const fit::SizeCoefficients coefficients = fit::read_size_coefficients(path);
  const std::string& machine = coefficients.provenance.machine;
  const double width = bytes_of(datatype), widest = bytes_of(Datatype::float32);
  MeasuredTimes times{.machine = machine,
                      .origin = coefficients.provenance.origin,
                      .stand_in = pricing.stand_in(),
                      .vectors = vector_curves(path, machine, coefficients.curves, pricing.by, width)};
  if (times.vectors.empty() && datatype == Datatype::float8 && pricing.by == pricing.own)
    return {.part = [text = fmt::format("vector kernels: the system's table, as {} has none of {}, which no "
                                        "framework has",
                                        path, pricing.own)](System&, std::size_t) { return text; }};
  if (times.vectors.empty()) {
    std::set<std::string> found;
    for (const auto& [name, segments] : coefficients.curves) found.insert(VectorName(name).dtype);
    refuse(path, fmt::format("expected vector kernels of {}", pricing.by), pricing, found);
  }
  if (width < widest)
    for (VectorCurve& curve : vector_curves(path, machine, coefficients.curves, "fp32", widest))
      times.vectors.push_back(std::move(curve));
  return times;
}

}  // namespace

std::string why_not_applied(const std::string& section) {
  using enum fit::CoefficientsKind;
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(section);
  if (kind == gemm || kind == collectives || kind == vector) return "";
  try {
    static_cast<void>(read_measured_part(section, kind));
    return "";
  } catch (const core::Error& error) {
    return error.what();
  }
}

MeasuredTimes read_measured_times(const std::string& path, const PricedTypes& types,
                                  const std::string& by_dtype) {
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(path);
  const Datatype type = kind == fit::CoefficientsKind::gemm ? types.products : types.all;
  const std::string own(fit_names[static_cast<std::size_t>(type)]);
  const Pricing pricing{own, by_dtype.empty() ? own : by_dtype};
  if (kind == fit::CoefficientsKind::gemm) return read_products(path, pricing);
  if (kind == fit::CoefficientsKind::collectives) return read_collectives(path, pricing);
  if (kind == fit::CoefficientsKind::vector) return read_vectors(path, types.all, pricing);
  return {.part = read_measured_part(path, kind)};
}

const MeasuredTimes& MeasuredTimesReader::read(const std::string& path, const PricedTypes& types,
                                               const std::string& by_dtype) {
  const std::tuple key(path, types, by_dtype);
  const auto known = read_.find(key);
  return known != read_.end() ? known->second
                              : read_.emplace(key, read_measured_times(path, types, by_dtype)).first->second;
}

}  // namespace assay::model
