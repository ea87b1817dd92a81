// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What NCCL reports of a collective that ran, in NCCL's own words; never what was asked of it.
#pragma once

#include <optional>
#include <string>

namespace assay::collectives {

struct RanCollective {
  std::string function;   // as NCCL calls it: "AllReduce", "Send"
  std::string algorithm;  // "RING"; empty where NCCL has none, as for Send and Recv
  std::string protocol;   // "SIMPLE"
  int channels = 0;       // 0: unknown
};

class RanSource {
 public:
  virtual ~RanSource() = default;

  /// Of the latest call that this process handed to NCCL; none where NCCL reported none yet.
  virtual std::optional<RanCollective> latest() = 0;

  /// What was reported so far is not reported again: to be called before a point, so that none is taken for
  /// its neighbour.
  virtual void forget() {}
};

}  // namespace assay::collectives
