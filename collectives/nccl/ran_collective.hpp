// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL's report of a collective that ran, in NCCL's own words; never what was asked of it.
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

  /// The collective of the latest call that this process handed to NCCL; none where NCCL reported none yet.
  virtual std::optional<RanCollective> latest() = 0;

  /// Drops what was reported so far: to be called before a point, so that no earlier call is taken for its
  /// own.
  virtual void forget() {}
};

}  // namespace assay::collectives
