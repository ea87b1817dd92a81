// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/collective_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/measured/measured_collective.hpp"
#include "model/predict/measured/measured_law.hpp"

namespace assay::model {
namespace {

std::optional<Collective> collective_named(const std::string& name) {
  if (fit::is_message(name)) return Collective::p2p;
  const auto found = std::ranges::find(collective_names, name);
  if (found == collective_names.end()) return std::nullopt;
  return static_cast<Collective>(found - collective_names.begin());
}

/// The precedence of a back end of one machine, from high to low: NCCL, as training uses it, MPI, assay's
/// own.
int precedence_of(const std::string& system) {
  if (system.find("/nccl") != std::string::npos) return 2;
  return system.find("/mpi") != std::string::npos ? 1 : 0;
}

/// Whether what is of `system` goes before (1), with (0) or after (-1) what is known of another. Throws for
/// two systems of one back end.
int precedence_over(const std::string& path, const std::string& what, const std::string& known,
                    const std::string& system) {
  if (known == system) return 0;
  const int before = precedence_of(known), now = precedence_of(system);
  if (before == now)
    core::usage_error(
        fmt::format("{}: {} is of '{}' and of '{}': fit each in a separate file", path, what, known, system));
  return now > before ? 1 : -1;
}

/// The time of each algorithm for one operation, number of ranks and tier.
struct Fitted {
  std::string system;
  std::int64_t nodes = 0;
  std::vector<MeasuredCollective::Algorithm> algorithms;

  /// Empties itself for what goes before; false for what does not count then.
  bool takes(const std::string& path, const fit::FamilyName& name) {
    if (!algorithms.empty()) {
      const std::string what = fmt::format("{} among {}", name.operation, name.ranks);
      int precedence = precedence_over(path, what, system, name.system);
      if (precedence == 0 && !fit::is_message(name.operation) && name.nodes != nodes)
        precedence = name.nodes > nodes ? 1 : -1;
      if (precedence < 0) return false;
      if (precedence > 0) algorithms.clear();
    }
    system = name.system, nodes = name.nodes;
    return true;
  }
};
using FittedCurves = std::map<std::tuple<Collective, double, fit::Tier>, Fitted>;

/// The surface, not the segments alone: it errs half as much between the sizes measured
/// (docs/method/fitting.md).
FittedCurves fitted_by_ranks(const std::string& path, const fit::CollectiveModels& all,
                             const std::string& dtype) {
  const auto models = std::make_shared<const fit::CollectiveModels>(all);
  FittedCurves all_fitted;
  for (const auto& [text, family] : models->families) {
    const fit::FamilyName& name = family.name;
    const auto operation = collective_named(name.operation);
    const auto curve = family.curves.find(dtype);
    if (!operation || curve == family.curves.end()) continue;
    // A message is one between two of the ranks.
    const double members = *operation == Collective::p2p ? 2 : static_cast<double>(name.ranks);
    Fitted& fitted = all_fitted[{*operation, members, fit::tier_of(name.nodes)}];
    if (!fitted.takes(path, name)) continue;
    fitted.algorithms.push_back({curve->second.segments, [models, of = text, dtype](double bytes) {
                                   return models->time_us(of, dtype, bytes);
                                 }});
  }
  return all_fitted;
}

}  // namespace

std::vector<CollectiveCurve> fitted_curves(const std::string& path,
                                           const fit::CollectiveCoefficients& coefficients,
                                           const std::string& dtype) {
  std::vector<CollectiveCurve> curves;
  for (const auto& [key, fitted] : fitted_by_ranks(path, coefficients.models, dtype)) {
    const auto& [operation, members, tier] = key;
    const MeasuredCollective::Origin origin{path, coefficients.provenance.machine, fitted.system};
    set_collective(std::make_shared<const MeasuredCollective>(origin, fitted.algorithms),
                   curves.emplace_back(CollectiveCurve{
                       .operation = operation, .members = members, .seconds = {}, .tier = tier}));
  }
  return curves;
}

std::vector<CollectiveLaw> fitted_laws(const std::string& path,
                                       const fit::CollectiveCoefficients& coefficients,
                                       const std::string& dtype) {
  std::map<std::pair<Collective, fit::Tier>, std::vector<fit::RankLaw>> algorithms;
  for (const fit::RankLaw& law : coefficients.rank_laws) {
    const auto operation = collective_named(law.operation);
    if (!operation || law.dtype != dtype) continue;
    std::vector<fit::RankLaw>& known = algorithms[{*operation, law.tier()}];
    if (!known.empty()) {
      const int precedence =
          precedence_over(path, "rank_laws: " + law.operation, known.front().system, law.system);
      if (precedence < 0) continue;
      if (precedence > 0) known.clear();
    }
    known.push_back(law);
  }
  std::vector<CollectiveLaw> laws;
  for (const auto& [key, of] : algorithms) {
    const MeasuredCollective::Origin origin{path, coefficients.provenance.machine, of.front().system};
    set_law(std::make_shared<const MeasuredLaw>(origin, of),
            laws.emplace_back(CollectiveLaw{.operation = key.first, .seconds = {}, .tier = key.second}));
  }
  return laws;
}

}  // namespace assay::model
