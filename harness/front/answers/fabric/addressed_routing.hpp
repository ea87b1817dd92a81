// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Addresses by which switches hash measured flows.
#pragma once

#include "harness/front/answers/fabric/located_pairs.hpp"

namespace assay::answers {

/// The fabric's routing, with the addresses that were measured, and else those that it states: of its own
/// hosts, or, on a topology that is `not_its_own`, by its `nodes`. Where some hosts have none, ports of their
/// flows are dropped from `pairs`; where none has, addresses are assumed. Throws a usage Error for what is no
/// address, and where hosts of a topology have no names in `fabric`.
model::fabric::RoutingSettings addressed_routing(const model::fabric::FabricFile& fabric,
                                                 const model::fabric::site::SiteFabric& site,
                                                 bool not_its_own,
                                                 model::fabric::locate::MeasuredPairs& pairs);

}  // namespace assay::answers
