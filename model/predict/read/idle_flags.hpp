// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flags of Megatron-LM that leave the step as it is, or are the model's: its file says them.
#pragma once

#include <string_view>

namespace assay::model {

/// `flag` without its dashes, in Megatron-LM's spelling: "num-layers".
bool leaves_the_step(std::string_view flag);

}  // namespace assay::model
