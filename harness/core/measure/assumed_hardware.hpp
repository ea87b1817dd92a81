// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hardware for which points are counted instead of that of this machine: a head node plans what nodes
// measure. Set once, before any case is made; a process that assumes hardware measures nothing.
#pragma once

#include <optional>

namespace assay::core {

struct AssumedHardware {
  int gpus = 1;
  bool adapters = false;  // RDMA; else those of this machine
};

/// Nothing: this machine's own.
std::optional<AssumedHardware> assumed_hardware();
void assume(const AssumedHardware& hardware);

}  // namespace assay::core
