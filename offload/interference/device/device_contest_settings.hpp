// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point of the matrix on a GPU as settings.
#pragma once

#include <optional>
#include <string>

#include "harness/core/measure/axis.hpp"
#include "offload/interference/device/device_load_kind.hpp"
#include "offload/pipeline/pace.hpp"

namespace assay::offload {

struct DeviceContestSettings {
  DeviceLoadKind victim = DeviceLoadKind::gemm, aggressor = DeviceLoadKind::spin;
  int blocks = 1;                   // of a resident aggressor and of its control; 0: no load
  double cap_gb_per_s = unlimited;  // of a copy by engine
  double round_s = 20e-3;           // how long each of the three times lasts, at least
  DeviceLoadSettings loads = {};

  bool has(DeviceLoadKind kind) const { return victim == kind || (blocks > 0 && aggressor == kind); }
  /// Multiprocessors that the aggressor's own blocks, and the control, take from the victim.
  int taken() const { return is_resident(aggressor) ? blocks : 0; }
  /// How many a product or a collective holds is unknown.
  bool is_taking_known() const { return blocks == 0 || offload::is_taking_known(aggressor); }
};

/// Throws a usage Error naming axis and value.
DeviceContestSettings device_contest_settings(const core::Point& point);

/// Why these two cannot meet on any machine.
std::optional<std::string> cannot_meet(const DeviceContestSettings& settings);

}  // namespace assay::offload
