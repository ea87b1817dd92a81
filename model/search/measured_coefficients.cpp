// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The coefficients of `assay fit` that a sensitivity varies.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/predict/measured/coefficients.hpp"
#include "model/predict/measured/measured_law.hpp"
#include "model/predict/measured/measured_products.hpp"
#include "model/search/sensitivity.hpp"

namespace assay::model {
namespace {

Coefficient over_interval(std::string key, const fit::Coefficient& of) {
  return {
      .key = std::move(key), .value = of.value, .low = end_of(of, End::low), .high = end_of(of, End::high)};
}

/// `in` finds the group among measured products.
void add_group(const MeasuredProducts& products, const MeasuredGroup& group,
               const std::function<MeasuredGroup&(MeasuredProducts&)>& in, std::vector<Coefficient>& found) {
  for (std::size_t i = 0; i < group.model.coefficients.size(); ++i) {
    const fit::Coefficient& of = group.model.coefficients[i];
    Coefficient& added =
        found.emplace_back(over_interval(fmt::format("{}: {} {}", products.path, group.group, of.name), of));
    added.move = [i, in, low = added.low, high = added.high](System& moved, End end) {
      MeasuredProducts there = *moved.products;
      in(there).model.coefficients[i].value = end == End::low ? low : high;
      set_products(std::make_shared<const MeasuredProducts>(std::move(there)), moved);
    };
  }
}

void add_products(const System& system, std::vector<Coefficient>& found) {
  if (!system.products) return;
  add_group(
      *system.products, *system.products, [](MeasuredProducts& there) -> auto& { return there; }, found);
  for (std::size_t which = 0; which < system.products->attention.size(); ++which)
    add_group(
        *system.products, system.products->attention[which],
        [which](MeasuredProducts& there) -> auto& { return there.attention[which]; }, found);
}

void add_collective(const CollectiveCurve& curve, std::size_t tier, std::size_t at,
                    std::vector<Coefficient>& found) {
  using Part = MeasuredCollective::Part;
  const MeasuredCollective& source = *curve.source;
  const std::string of =
      fmt::format("{}: network {} {} among {}", source.origin().path, tier,
                  collective_names[static_cast<std::size_t>(curve.operation)], curve.members);
  const auto add = [&](const fit::Coefficient& shown, Part part) {
    Coefficient& added = found.emplace_back(over_interval(of + " " + shown.name, shown));
    added.move = [tier, at, part](System& moved, End end) {
      CollectiveCurve& there = moved.networks[tier].curves[at];
      set_collective(std::make_shared<const MeasuredCollective>(there.source->moved(part, end)), there);
    };
  };
  add(source.segment(source.to_bytes()).bandwidth, Part::bandwidth);
  add(source.segment(source.from_bytes()).latency, Part::latency);
}

/// Whether some number of processors that divides all of them was not measured.
bool law_is_asked(const Network& network, Collective operation, std::int64_t processors) {
  for (std::int64_t members = 2; members <= std::min(processors, network.size); ++members)
    if (processors % members == 0 && network.curve(operation, static_cast<double>(members)) == nullptr)
      return true;
  return false;
}

void add_law(const CollectiveLaw& law, std::size_t tier, std::size_t at, std::vector<Coefficient>& found) {
  const MeasuredLaw& source = *law.source;
  const std::string of = fmt::format("{}: network {} {} over ranks", source.origin().path, tier,
                                     collective_names[static_cast<std::size_t>(law.operation)]);
  const auto add = [&](const fit::RankRegime& shown, MeasuredLaw::Part part) {
    Coefficient& added = found.emplace_back(over_interval(of + " " + (shown.*part).name, shown.*part));
    added.move = [tier, at, part](System& moved, End end) {
      CollectiveLaw& there = moved.networks[tier].laws[at];
      set_law(std::make_shared<const MeasuredLaw>(there.source->moved(part, end)), there);
    };
  };
  add(source.first().regimes.back(), &fit::RankRegime::bandwidth);
  add(source.first().regimes.front(), &fit::RankRegime::step);
  add(source.first().regimes.front(), &fit::RankRegime::call);
}

}  // namespace

std::vector<Coefficient> measured_coefficients(const Question& question) {
  std::vector<Coefficient> found;
  add_products(question.system, found);
  for (std::size_t tier = 0; tier < question.system.networks.size(); ++tier) {
    const Network& network = question.system.networks[tier];
    for (std::size_t at = 0; at < network.curves.size(); ++at) {
      const CollectiveCurve& curve = network.curves[at];
      const bool taken = network.curve(curve.operation, curve.members) == &curve;
      const auto members = static_cast<std::int64_t>(curve.members);
      if (taken && curve.source && question.processors % members == 0) add_collective(curve, tier, at, found);
    }
    for (std::size_t at = 0; at < network.laws.size(); ++at) {
      const CollectiveLaw& law = network.laws[at];
      const bool taken = network.law(law.operation) == &law;
      if (taken && law.source && law_is_asked(network, law.operation, question.processors))
        add_law(law, tier, at, found);
    }
  }
  std::erase_if(found, [](const Coefficient& of) { return of.low == of.high; });
  return found;
}

}  // namespace assay::model
