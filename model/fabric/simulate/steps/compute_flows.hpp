// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Compute as a flow over its GPU's processor, which messages slow while they run.
#pragma once

#include <vector>

#include "model/fabric/sharing/timeline.hpp"

namespace assay::model::fabric {

/// Each flow's use of processors: the GPUs at its ends, and for compute, the share of the processor that
/// messages take.
struct ProcessorUse {
  std::vector<std::uint32_t> from, to;
  std::vector<double> taken;  // 0 of messages, in (0, 1) of compute
};

/// Messages share links by `rule`; compute runs at 1 us a us, and at 1 - `taken` while a message leaves its
/// GPU or arrives there. `processor`: the number of the first GPU's processor among links; `paths` are over
/// links below it, or of compute, over a processor alone, or of moments, over nothing. Otherwise as
/// timeline_of.
Timeline timeline_with_compute(std::span<const Message> messages, std::span<const Precedence> precedences,
                               const Paths& paths, LinkId processor, const ProcessorUse& use,
                               const SharingRule& rule);

}  // namespace assay::model::fabric
