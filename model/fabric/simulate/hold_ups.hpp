// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The link that holds a flow up: the slowest of its own path, or one that it never crosses, whose full queues
// stop others on its path.
#pragma once

#include <vector>

#include "model/fabric/simulate/steps/flow_set.hpp"

namespace assay::model::fabric {

class HoldUps {
 public:
  /// All must outlive it. `bytes_of_links`: of all flows.
  HoldUps(const FabricModel& model, const FlowSet& flows, const std::vector<double>& bytes_of_links);

  /// The link of the flow's path whose bytes take the longest; where that is well below `time_us`, which the
  /// flow took, the slowest that flows cross which share a link with it.
  LinkId of(FlowId flow, double time_us) const;
  /// That the slowest link of its path needs for its bytes, all flows' together.
  double least_us(FlowId flow) const;

 private:
  double need_us(LinkId link) const { return (*bytes_)[link] / model_->capacity(link); }
  template <class Of>
  LinkId slowest(FlowId flow, const Of& of) const;

  const FabricModel* model_;
  const FlowSet* flows_;
  const std::vector<double>* bytes_;
  std::vector<LinkId> behind_;  // of each link: the slowest that its flows cross
};

}  // namespace assay::model::fabric
