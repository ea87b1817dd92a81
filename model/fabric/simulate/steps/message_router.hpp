// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The paths of messages: by hash, or by a plan of traffic engineering where there is one.
#pragma once

#include "model/fabric/routing/routing.hpp"
#include "model/fabric/routing/traffic_engineering.hpp"

namespace assay::model::fabric {

class MessageRouter {
 public:
  /// `plan` may be null, else it must outlive this.
  explicit MessageRouter(Router hashed, const TrafficPlan* plan = nullptr)
      : hashed_(std::move(hashed)), plan_(plan) {}

  void route(NodeId from, NodeId to, std::uint64_t bytes, std::uint32_t message,
             const VisitPart& visit) const {
    if (plan_ == nullptr) return hashed_.route(from, to, bytes, message, visit);
    PlannedRouter(hashed_, *plan_).route(from, to, bytes, message, visit);
  }
  bool planned() const { return plan_ != nullptr; }
  const Router& hashed() const { return hashed_; }

 private:
  Router hashed_;
  const TrafficPlan* plan_;
};

}  // namespace assay::model::fabric
