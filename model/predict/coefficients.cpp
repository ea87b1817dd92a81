// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/coefficients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/json/json_keys.hpp"
#include "model/predict/measured_collective.hpp"
#include "model/predict/measured_products.hpp"

namespace assay::model {
namespace {

constexpr double micro = 1e-6;

/// What fits call the types; the second has the same width and is taken for collectives where the first is
/// not there.
struct FitNames {
  std::string_view own, twin;
};
constexpr std::array<FitNames, 4> fit_names = {
    {{"fp8_e4m3", "int8"}, {"fp16", "bf16"}, {"bf16", "fp16"}, {"fp32", "fp32"}}};

std::vector<std::string> layouts_of(const fit::GemmCoefficients& coefficients, std::string_view dtype) {
  std::vector<std::string> found;
  for (const auto& [group, model] : coefficients.models)
    if (group == dtype || group.starts_with(std::string(dtype) + "/")) found.push_back(group);
  return found;
}

std::string apply_products(const std::string& path, Datatype datatype, System& system) {
  const fit::GemmCoefficients coefficients = fit::read_gemm_coefficients(path);
  const std::string_view dtype = fit_names[static_cast<std::size_t>(datatype)].own;
  const std::vector<std::string> layouts = layouts_of(coefficients, dtype);
  if (layouts.size() != 1) {
    std::vector<std::string> all;
    for (const auto& [group, model] : coefficients.models) all.push_back(group);
    core::usage_error(fmt::format("{}: expected coefficients of {} in one layout, got {}", path, dtype,
                                  fmt::join(all, ", ")));
  }
  const std::string& machine = coefficients.provenance.machine;
  set_products(std::make_shared<const MeasuredProducts>(
                   MeasuredProducts{path, machine, layouts.front(), coefficients.models.at(layouts.front())}),
               system);
  return fmt::format("products with weights: {}, {} on {}", path, layouts.front(), machine);
}

/// "system,operation,ranks,algorithm", where the system may hold commas.
struct FamilyName {
  std::string system, operation, ranks;

  explicit FamilyName(std::string text) {
    cut(text);  // the algorithm
    ranks = cut(text);
    operation = cut(text);
    system = text;
  }

 private:
  static std::string cut(std::string& text) {
    const std::size_t comma = text.rfind(',');
    if (comma == std::string::npos) return {};
    std::string tail = text.substr(comma + 1);
    text.erase(comma);
    return tail;
  }
};

std::optional<Collective> collective_named(const std::string& name) {
  if (name == "send_recv" || name == "sendrecv") return Collective::p2p;
  const auto found = std::ranges::find(collective_names, name);
  if (found == collective_names.end()) return std::nullopt;
  return static_cast<Collective>(found - collective_names.begin());
}

double members_of(const std::string& path, const FamilyName& name) {
  double members = 0;
  const char* const end = name.ranks.data() + name.ranks.size();
  const auto [stopped, error] = std::from_chars(name.ranks.data(), end, members);
  if (error != std::errc{} || stopped != end || members < 2)
    core::usage_error(
        fmt::format("{}: models: expected 'system,operation,ranks,algorithm' from 2 ranks on, got "
                    "'{}' ranks",
                    path, name.ranks));
  return members;
}

/// Of one operation among so many: what each algorithm takes.
struct Fitted {
  std::string system;
  std::vector<MeasuredCollective::Algorithm> algorithms;
};
using FittedTier = std::map<std::pair<Collective, double>, Fitted>;

/// The surface, not the segments alone: it errs half as much between the sizes measured (docs/fitting.md).
FittedTier fitted_tier(const std::string& path, const fit::CollectiveModels& all, Datatype datatype) {
  const auto models = std::make_shared<const fit::CollectiveModels>(all);
  const auto [own, twin] = fit_names[static_cast<std::size_t>(datatype)];
  FittedTier tier;
  for (const auto& [text, family] : models->families) {
    const FamilyName name(text);
    const auto operation = collective_named(name.operation);
    auto curve = family.curves.find(std::string(own));
    if (curve == family.curves.end()) curve = family.curves.find(std::string(twin));
    if (!operation || curve == family.curves.end()) continue;
    Fitted& fitted = tier[{*operation, members_of(path, name)}];
    if (!fitted.algorithms.empty() && fitted.system != name.system)
      core::usage_error(fmt::format("{}: {} among {} is of '{}' and of '{}': fit each in a file of its own",
                                    path, name.operation, name.ranks, fitted.system, name.system));
    fitted.system = name.system;
    fitted.algorithms.push_back(
        {curve->second.segments, [models, of = text, dtype = curve->first](double bytes) {
           return models->time_us(of, dtype, bytes);
         }});
  }
  return tier;
}

std::string apply_collectives(const CoefficientFile& file, Datatype datatype, System& system) {
  if (file.tier >= system.networks.size())
    core::usage_error(fmt::format("{}: for network {}, where the system has {}", file.path, file.tier,
                                  system.networks.size()));
  const fit::CollectiveCoefficients coefficients = fit::read_collective_coefficients(file.path);
  const FittedTier tier = fitted_tier(file.path, coefficients.models, datatype);
  if (tier.empty())
    core::usage_error(fmt::format("{}: no collective of {} in it", file.path,
                                  fit_names[static_cast<std::size_t>(datatype)].own));
  std::vector<CollectiveCurve> curves;
  std::map<Collective, std::vector<double>> numbers;
  for (const auto& [key, fitted] : tier) {
    const auto& [operation, members] = key;
    CollectiveCurve& curve = curves.emplace_back(CollectiveCurve{operation, members, {}});
    set_collective(std::make_shared<const MeasuredCollective>(
                       MeasuredCollective::Origin{file.path, coefficients.provenance.machine, fitted.system},
                       fitted.algorithms),
                   curve);
    numbers[operation].push_back(members);
  }
  std::vector<CollectiveCurve>& known = system.networks[file.tier].curves;
  known.insert(known.begin(), curves.begin(), curves.end());  // the first that fits is taken
  std::vector<std::string> shown;
  for (const auto& [operation, members] : numbers)
    shown.push_back(fmt::format("{} among {}", collective_names[static_cast<std::size_t>(operation)],
                                fmt::join(members, " ")));
  return fmt::format("network {}: {}, on {}: {}", file.tier, file.path, coefficients.provenance.machine,
                     fmt::join(shown, ", "));
}

}  // namespace

CoefficientFile coefficient_file_from(const std::string& text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == 0 || end == std::string::npos || end > 4 || text[end] != '=') return {.path = text};
  return {.path = text.substr(end + 1), .tier = std::stoul(text.substr(0, end))};
}

std::vector<CoefficientFile> coefficient_files_of(const nlohmann::json& system, const std::string& file) {
  const auto beside = [&](const std::string& named) {
    return (std::filesystem::path(file).parent_path() / named).string();
  };
  std::vector<CoefficientFile> found;
  const JsonKeys keys(system, file + ": ");
  if (keys.has("coefficients")) found.push_back({.path = beside(keys.word("coefficients"))});
  const nlohmann::json& networks = keys.at("networks");
  for (std::size_t tier = 0; tier < networks.size(); ++tier) {
    const JsonKeys network(networks[tier], fmt::format("{}: networks[{}].", file, tier));
    if (network.has("coefficients"))
      found.push_back({.path = beside(network.word("coefficients")), .tier = tier});
  }
  return found;
}

std::string apply_coefficients(const CoefficientFile& file, Datatype datatype, System& system) {
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(file.path);
  if (kind == fit::CoefficientsKind::gemm) return apply_products(file.path, datatype, system);
  if (kind == fit::CoefficientsKind::collectives) return apply_collectives(file, datatype, system);
  core::usage_error(
      fmt::format("{}: coefficients of {}; expected those of gemm (products) or collectives (of a network)",
                  file.path, fit::to_string(kind)));
}

void set_products(std::shared_ptr<const MeasuredProducts> products, System& system) {
  system.matmul_s = [products](const MatmulShape& shape) {
    return products->model.time_us({shape.m, shape.n, shape.k}) * micro;
  };
  system.products = std::move(products);
}

void set_collective(std::shared_ptr<const MeasuredCollective> measured, CollectiveCurve& curve) {
  curve.seconds = [measured](double bytes) { return measured->seconds(bytes); };
  curve.source = std::move(measured);
}

void copy_measured_times(const System& from, System& to) {
  to.matmul_s = from.matmul_s;
  to.products = from.products;
  for (std::size_t tier = 0; tier < to.networks.size(); ++tier)
    to.networks[tier].curves = from.networks[tier].curves;
}

}  // namespace assay::model
