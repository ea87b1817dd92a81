// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What NCCL tells of a collective that ran, in NCCL's own words; never what was asked of it.
#pragma once

#include <optional>
#include <string>

namespace assay::collectives {

struct RanCollective {
  std::string function;   // as NCCL calls it: "AllReduce", "Send"
  std::string algorithm;  // "RING"; empty where NCCL has none, as for Send and Recv
  std::string protocol;   // "SIMPLE"
  int channels = 0;       // 0: not told
};

class RanSource {
 public:
  virtual ~RanSource() = default;

  /// Of the latest call that this process handed to NCCL; none where NCCL told of none yet.
  virtual std::optional<RanCollective> latest() = 0;

  /// What was told so far is not told again: to be called before a point, so that none is taken for its
  /// neighbour.
  virtual void forget() {}
};

}  // namespace assay::collectives
