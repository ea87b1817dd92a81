// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/system.hpp"

#include <algorithm>
#include <cmath>

namespace assay::model {

const CollectiveCurve* Network::curve(Collective which, double members) const {
  const double among = which == Collective::p2p ? 2 : members;
  const auto found = std::ranges::find_if(curves, [&](const CollectiveCurve& measured) {
    return measured.operation == which && measured.members == among;
  });
  return found == curves.end() ? nullptr : &*found;
}

std::optional<std::size_t> System::network_of(fit::Tier tier) const {
  const auto found = std::ranges::find(networks, tier, &Network::tier);
  if (found == networks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - networks.begin());
}

const VectorCurve* System::vector_curve(const VectorCall& call, VectorPass pass) const {
  const auto distance = [&](const VectorCurve& curve) {
    return call.row > 0 ? std::abs(std::log(curve.row / call.row)) : 0;
  };
  const VectorCurve* nearest = nullptr;
  for (const VectorCurve& curve : vectors)
    if (curve.kernel == call.kernel && curve.pass == pass && curve.width == call.width &&
        (nearest == nullptr || distance(curve) < distance(*nearest)))
      nearest = &curve;
  return nearest;
}

const CollectiveLaw* Network::law(Collective which) const {
  const auto found = std::ranges::find(laws, which, &CollectiveLaw::operation);
  return found == laws.end() ? nullptr : &*found;
}

}  // namespace assay::model
