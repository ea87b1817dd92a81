// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Both directions of a link, until the bits that moved without error prove the asked bound of its bit error
// rate.
#pragma once

#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {

class DoseTrial : public StreamTrial {
 public:
  DoseTrial(const machine::Machine& machine, team::Team& team, const Settings& settings, double bound);

  std::vector<core::Fact> facts();

 private:
  double bound_;
};

}  // namespace assay::rdma
