// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/assumed_hardware.hpp"

namespace assay::core {
namespace {

std::optional<AssumedHardware>& assumed() {
  static std::optional<AssumedHardware> hardware;
  return hardware;
}

}  // namespace

std::optional<AssumedHardware> assumed_hardware() { return assumed(); }

void assume(const AssumedHardware& hardware) { assumed() = hardware; }

}  // namespace assay::core
