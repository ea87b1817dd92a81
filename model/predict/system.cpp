// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system.hpp"

#include <algorithm>

namespace assay::model {

double bytes_of(Datatype datatype) {
  switch (datatype) {
    case Datatype::float8:
      return 1;
    case Datatype::float16:
    case Datatype::bfloat16:
      return 2;
    case Datatype::float32:
      return 4;
  }
  return 0;
}

const CollectiveCurve* Network::curve(Collective which, double members) const {
  const double among = which == Collective::p2p ? 2 : members;
  const auto found = std::ranges::find_if(curves, [&](const CollectiveCurve& measured) {
    return measured.operation == which && measured.members == among;
  });
  return found == curves.end() ? nullptr : &*found;
}

const CollectiveLaw* Network::law(Collective which) const {
  const auto found = std::ranges::find(laws, which, &CollectiveLaw::operation);
  return found == laws.end() ? nullptr : &*found;
}

}  // namespace assay::model
