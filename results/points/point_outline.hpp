// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a measured point's record that judges read, found by its keys without taking all of the JSON
// apart: a fleet has a million points.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::results {

/// Values as the JSON text has them: texts with their escapes and without quotes, numbers, objects; axes,
/// units and metrics without their brackets.
struct PointOutline {
  std::string_view case_name, axes, units, quantile, metrics, work_bytes, work_flops, bytes_counted,
      verification, verification_why, digest, conditions;
};

/// The outline of a record as to_json() writes it. Nothing where it has another form: whoever asks must parse
/// it. Views are into `record`; `quantile` is empty where the point has no time.
std::optional<PointOutline> outline_of(std::string_view record);

/// The value of a key of a flat object, without quotes; empty where it is not there.
std::string_view field_in(std::string_view object, std::string_view key);

}  // namespace assay::results
