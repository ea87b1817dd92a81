// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <set>

#include "harness/core/error.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/predict/coefficients.hpp"
#include "model/predict/measured_collective.hpp"
#include "model/predict/measured_law.hpp"
#include "model/predict/measured_products.hpp"
#include "model/predict/measured_vector.hpp"

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

bool has_word(const std::string& group, std::string_view word) {
  return (" " + group.substr(group.find('/') + 1) + " ").find(fmt::format(" {} ", word)) != std::string::npos;
}

/// Groups of the dtype. Of a calibration, which measures all passes of training on hosts and GPUs, those of
/// forward passes on a GPU, as far as there are any.
std::vector<std::string> layouts_of(const fit::GemmCoefficients& coefficients, std::string_view dtype) {
  std::vector<std::string> found;
  for (const auto& [group, model] : coefficients.models)
    if (group == dtype || (group.starts_with(std::string(dtype) + "/") &&
                           !fit::is_batched_layout(group.substr(dtype.size() + 1))))
      found.push_back(group);
  for (const char* preferred : {"cuda", "TN"}) {
    const auto has = [&](const std::string& group) { return has_word(group, preferred); };
    if (std::ranges::any_of(found, has)) std::erase_if(found, std::not_fn(has));
  }
  return found;
}

/// Of groups that differ in nothing but the layout of a pass of training, the forward one's, TN, prices all.
void keep_forward(std::vector<std::string>& groups) {
  const std::vector<std::string> all = groups;
  std::erase_if(groups, [&](std::string group) {
    const std::size_t at = std::min(group.find(" NN "), group.find(" NT "));
    if (at == std::string::npos) return false;
    return std::ranges::count(all, group.replace(at, 4, " TN ")) > 0;
  });
}

/// Of one of attention's products in the layout that `assay export gemm-timings` gives it; none where the
/// file has none. Throws where it has several.
std::vector<MeasuredGroup> attention_group(const std::string& path, const fit::GemmCoefficients& coefficients,
                                           const std::string& dtype, const char* product) {
  const std::string begin = fmt::format("{}/batched/{}", dtype, product);
  std::vector<MeasuredGroup> found;
  for (const auto& [group, model] : coefficients.models)
    if (group == begin || group.starts_with(begin + " ")) found.push_back({group, model});
  if (found.size() > 1)
    core::usage_error(fmt::format("{}: expected one group of {}, got {} and {}; assay fit takes --filter",
                                  path, begin, found[0].group, found[1].group));
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
                               attention_groups(path, coefficients, pricing.by)}),
          .collectives = {},
          .laws = {}};
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

/// Of one operation and number of ranks: the time of each algorithm.
struct Fitted {
  std::string system;
  std::vector<MeasuredCollective::Algorithm> algorithms;
};
using FittedTier = std::map<std::pair<Collective, double>, Fitted>;

/// The surface, not the segments alone: it errs half as much between the sizes measured
/// (docs/method/fitting.md).
FittedTier fitted_tier(const std::string& path, const fit::CollectiveModels& all, const std::string& dtype) {
  const auto models = std::make_shared<const fit::CollectiveModels>(all);
  FittedTier tier;
  for (const auto& [text, family] : models->families) {
    const FamilyName name(text);
    const auto operation = collective_named(name.operation);
    const auto curve = family.curves.find(dtype);
    if (!operation || curve == family.curves.end()) continue;
    Fitted& fitted = tier[{*operation, members_of(path, name)}];
    if (!fitted.algorithms.empty() && fitted.system != name.system)
      core::usage_error(fmt::format("{}: {} among {} is of '{}' and of '{}': fit each in a separate file",
                                    path, name.operation, name.ranks, fitted.system, name.system));
    fitted.system = name.system;
    fitted.algorithms.push_back({curve->second.segments, [models, of = text, dtype](double bytes) {
                                   return models->time_us(of, dtype, bytes);
                                 }});
  }
  return tier;
}

std::set<std::string> dtypes_of(const fit::CollectiveModels& models) {
  std::set<std::string> dtypes;
  for (const auto& [name, family] : models.families)
    for (const auto& [dtype, curve] : family.curves) dtypes.insert(dtype);
  return dtypes;
}

std::vector<CollectiveLaw> laws_of(const std::string& path, const fit::CollectiveCoefficients& coefficients,
                                   const std::string& dtype) {
  std::map<Collective, std::vector<fit::RankLaw>> algorithms;
  for (const fit::RankLaw& law : coefficients.rank_laws) {
    const auto operation = collective_named(law.operation);
    if (!operation || law.dtype != dtype) continue;
    std::vector<fit::RankLaw>& known = algorithms[*operation];
    if (!known.empty() && known.front().system != law.system)
      core::usage_error(fmt::format("{}: rank_laws: {} is of '{}' and of '{}': fit each in a separate file",
                                    path, law.operation, known.front().system, law.system));
    known.push_back(law);
  }
  std::vector<CollectiveLaw> laws;
  for (const auto& [operation, of] : algorithms) {
    const MeasuredCollective::Origin origin{path, coefficients.provenance.machine, of.front().system};
    set_law(std::make_shared<const MeasuredLaw>(origin, of), laws.emplace_back(CollectiveLaw{operation, {}}));
  }
  return laws;
}

MeasuredTimes read_collectives(const std::string& path, const Pricing& pricing) {
  const fit::CollectiveCoefficients coefficients = fit::read_collective_coefficients(path);
  const FittedTier tier = fitted_tier(path, coefficients.models, pricing.by);
  if (tier.empty())
    refuse(path, fmt::format("expected collectives of {}", pricing.by), pricing,
           dtypes_of(coefficients.models));
  MeasuredTimes times{.machine = coefficients.provenance.machine,
                      .origin = coefficients.provenance.origin,
                      .stand_in = pricing.stand_in(),
                      .products = {},
                      .collectives = {},
                      .laws = laws_of(path, coefficients, pricing.by)};
  for (const auto& [key, fitted] : tier) {
    const auto& [operation, members] = key;
    CollectiveCurve& curve = times.collectives.emplace_back(CollectiveCurve{operation, members, {}});
    set_collective(std::make_shared<const MeasuredCollective>(
                       MeasuredCollective::Origin{path, times.machine, fitted.system}, fitted.algorithms),
                   curve);
  }
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
                      .products = {},
                      .vectors = vector_curves(path, machine, coefficients.curves, pricing.by, width),
                      .collectives = {},
                      .laws = {}};
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

bool can_be_applied(const std::string& section) {
  using enum fit::CoefficientsKind;
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(section);
  if (kind == gemm || kind == collectives || kind == vector) return true;
  try {
    static_cast<void>(read_measured_part(section, kind));
    return true;
  } catch (const core::Error&) {
    return false;
  }
}

MeasuredTimes read_measured_times(const std::string& path, Datatype datatype, const std::string& by_dtype) {
  const std::string own(fit_names[static_cast<std::size_t>(datatype)]);
  const Pricing pricing{own, by_dtype.empty() ? own : by_dtype};
  const fit::CoefficientsKind kind = fit::kind_of_coefficients(path);
  if (kind == fit::CoefficientsKind::gemm) return read_products(path, pricing);
  if (kind == fit::CoefficientsKind::collectives) return read_collectives(path, pricing);
  if (kind == fit::CoefficientsKind::vector) return read_vectors(path, datatype, pricing);
  return {.machine = {},
          .origin = {},
          .stand_in = {},
          .products = {},
          .collectives = {},
          .laws = {},
          .part = read_measured_part(path, kind)};
}

const MeasuredTimes& MeasuredTimesReader::read(const std::string& path, Datatype datatype,
                                               const std::string& by_dtype) {
  const std::tuple key(path, datatype, by_dtype);
  const auto known = read_.find(key);
  return known != read_.end()
             ? known->second
             : read_.emplace(key, read_measured_times(path, datatype, by_dtype)).first->second;
}

}  // namespace assay::model
