// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/coefficients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fit/rows/provenance.hpp"
#include "model/json/json_keys.hpp"
#include "model/predict/measured/measured_collective.hpp"
#include "model/predict/measured/measured_law.hpp"
#include "model/predict/measured/measured_products.hpp"

namespace assay::model {
namespace {

constexpr double micro = 1e-6;

std::string stand_in_text(const MeasuredTimes& times) {
  return times.stand_in.empty() ? "" : fmt::format(" ({}, as asked)", times.stand_in);
}

std::string apply_products(const std::string& path, const MeasuredTimes& times, System& system) {
  set_products(times.products, system);
  std::string text = fmt::format("products with weights: {}, {} on {}{}", path, times.products->group,
                                 fit::machine_and_origin(times.machine, times.origin), stand_in_text(times));
  for (const MeasuredGroup& batched : times.products->attention)
    text +=
        fmt::format("{}{}", &batched == times.products->attention.data() ? "; attention's products: " : ", ",
                    batched.group);
  return text;
}

std::string apply_vectors(const std::string& path, const MeasuredTimes& times, System& system) {
  system.vectors.insert(system.vectors.begin(), times.vectors.begin(), times.vectors.end());
  std::array<std::set<std::string_view>, core::vector_pass_names.size()> kernels;
  for (const VectorCurve& curve : times.vectors)
    kernels[std::size_t(curve.pass)].insert(core::vector_kernel_names[std::size_t(curve.kernel)]);
  std::vector<std::string> shown;
  for (std::size_t pass = 0; pass < kernels.size(); ++pass)
    if (!kernels[pass].empty())
      shown.push_back(fmt::format("{} {}", core::vector_pass_names[pass], fmt::join(kernels[pass], " ")));
  return fmt::format("vector kernels: {}, on {}{}: {}", path,
                     fit::machine_and_origin(times.machine, times.origin), stand_in_text(times),
                     fmt::join(shown, ", "));
}

/// Puts those of `all` that are of the tier before what is there: the first is taken.
template <class Measured>
void put_first(const std::vector<Measured>& all, fit::Tier tier, std::vector<Measured>& known) {
  std::vector<Measured> own;
  std::ranges::copy_if(all, std::back_inserter(own), [&](const Measured& of) { return of.tier == tier; });
  known.insert(known.begin(), own.begin(), own.end());
}

/// "all_reduce among 2 4 8 within a node"
std::string operations_text(const std::vector<CollectiveCurve>& curves, fit::Tier tier) {
  std::map<Collective, std::vector<double>> numbers;
  for (const CollectiveCurve& curve : curves)
    if (curve.tier == tier) numbers[curve.operation].push_back(curve.members);
  std::vector<std::string> shown;
  for (const auto& [operation, members] : numbers)
    shown.push_back(fmt::format("{} among {}", collective_names[static_cast<std::size_t>(operation)],
                                fmt::join(members, " ")));
  return fit::with_tier(fmt::format("{}", fmt::join(shown, ", ")), tier);
}

/// Nothing where these have no network, as apply_coefficients() says.
std::optional<std::size_t> network_for(fit::Tier tier, bool of_both, std::size_t named,
                                       const System& system) {
  if (tier == fit::Tier::unknown) return named;
  if (system.network_of(fit::Tier::within) || system.network_of(fit::Tier::over))
    return system.network_of(tier);
  if (!of_both) return named;
  const std::size_t found = tier == fit::Tier::within ? 0 : std::max<std::size_t>(named, 1);
  return found < system.networks.size() ? std::optional(found) : std::nullopt;
}

std::string apply_collectives(const CoefficientFile& file, const MeasuredTimes& times, System& system) {
  std::set<fit::Tier> tiers;
  for (const CollectiveCurve& curve : times.collectives) tiers.insert(curve.tier);
  const bool of_both = tiers.contains(fit::Tier::within) && tiers.contains(fit::Tier::over);
  const std::string source = fmt::format(
      "{}, on {}{}", file.path, fit::machine_and_origin(times.machine, times.origin), stand_in_text(times));
  std::string used, unused;
  for (const fit::Tier tier : tiers) {
    const std::string operations = operations_text(times.collectives, tier);
    const auto network = network_for(tier, of_both, file.tier, system);
    if (!network) {
      unused += fmt::format("; not used, as no network is of them: {}", operations);
      continue;
    }
    used += used.empty() ? fmt::format("network {}: {}: {}", *network, source, operations)
                         : fmt::format("; network {}: {}", *network, operations);
    put_first(times.collectives, tier, system.networks[*network].curves);
    put_first(times.laws, tier, system.networks[*network].laws);
  }
  return (used.empty() ? source : used) + unused;
}

void copy_measured(const Memory& from, Memory& to) {
  if (from.is_measured) to.by_bytes = from.by_bytes, to.is_measured = true;
}

}  // namespace

CoefficientFile coefficient_file_from(const std::string& text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end == 0 || end == std::string::npos || end > 4 || text[end] != '=') return {.path = text};
  return {.path = text.substr(end + 1), .tier = std::stoul(text.substr(0, end))};
}

std::vector<CoefficientFile> coefficient_files_of(const JsonValue& system) {
  const auto beside = [&](const std::string& named) {
    return (std::filesystem::path(system.document().where()).parent_path() / named).string();
  };
  std::vector<CoefficientFile> found;
  const JsonKeys keys(system);
  if (keys.has("coefficients")) found.push_back({.path = beside(keys.word("coefficients"))});
  std::size_t tier = 0;
  for (const JsonKeys& network : keys.objects("networks")) {
    if (network.has("coefficients"))
      found.push_back({.path = beside(network.word("coefficients")), .tier = tier});
    ++tier;
  }
  return found;
}

std::string apply_coefficients(const CoefficientFile& file, const MeasuredTimes& times, System& system) {
  if (times.products) return apply_products(file.path, times, system);
  if (!times.vectors.empty()) return apply_vectors(file.path, times, system);
  if (file.tier >= system.networks.size())
    core::usage_error(fmt::format("{}: for network {}, where the system has {}", file.path, file.tier,
                                  system.networks.size()));
  return times.part ? times.part(system, file.tier) : apply_collectives(file, times, system);
}

void set_products(std::shared_ptr<const MeasuredProducts> products, System& system) {
  system.matmul_s = [products](const MatmulShape& shape) {
    return products->model.time_us({shape.m, shape.n, shape.k}) * micro;
  };
  system.attention_s = {};
  if (!products->attention.empty())
    system.attention_s = [products](AttentionProduct which, double count, const MatmulShape& shape) {
      const fit::GemmModel& model = products->attention[static_cast<std::size_t>(which)].model;
      return model.time_us({shape.m, shape.n, shape.k, count}) * micro;
    };
  system.products = std::move(products);
}

void set_collective(std::shared_ptr<const MeasuredCollective> measured, CollectiveCurve& curve) {
  curve.seconds = [measured](double bytes) { return measured->seconds(bytes); };
  curve.source = std::move(measured);
}

void set_law(std::shared_ptr<const MeasuredLaw> measured, CollectiveLaw& law) {
  law.seconds = [measured](double bytes, double members) { return measured->seconds(bytes, members); };
  law.source = std::move(measured);
}

void copy_measured_times(const System& from, System& to) {
  to.matmul_s = from.matmul_s;
  to.attention_s = from.attention_s;
  to.products = from.products;
  to.vectors = from.vectors;
  copy_measured(from.mem1, to.mem1);
  copy_measured(from.mem2, to.mem2);
  for (std::size_t tier = 0; tier < to.networks.size(); ++tier) {
    to.networks[tier].curves = from.networks[tier].curves;
    to.networks[tier].laws = from.networks[tier].laws;
    to.networks[tier].usage_is_measured = from.networks[tier].usage_is_measured;
    if (from.networks[tier].usage_is_measured)
      to.networks[tier].processor_usage = from.networks[tier].processor_usage;
    to.networks[tier].overlap_is_measured = from.networks[tier].overlap_is_measured;
    if (from.networks[tier].overlap_is_measured) {
      to.networks[tier].gradient_overlap = from.networks[tier].gradient_overlap;
      to.networks[tier].gather_overlap = from.networks[tier].gather_overlap;
    }
  }
}

}  // namespace assay::model
