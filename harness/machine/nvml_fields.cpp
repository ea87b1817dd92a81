// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/nvml_fields.hpp"

namespace assay::machine {

namespace {

constexpr NvmlReturn not_answered = 999;  // NVML_ERROR_UNKNOWN, until the driver says otherwise

template <class Integer>
std::optional<std::uint64_t> unless_negative(Integer value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

std::optional<std::uint64_t> whole_number(const NvmlFieldValue& field) {
  switch (field.type) {
    case 1:
      return field.value.as_unsigned;
    case 2:
      return field.value.as_unsigned_long;
    case 3:
      return field.value.as_unsigned_long_long;
    case 4:
      return unless_negative(field.value.as_long_long);
    case 5:
      return unless_negative(field.value.as_int);
    case 6:
      return field.value.as_unsigned_short;
    default:
      return {};
  }
}

}  // namespace

std::optional<std::uint64_t> read_field(const NvmlFunctions& call, NvmlHandle device, NvmlField which,
                                        unsigned scope) {
  NvmlFieldValue field{};
  field.field = which;
  field.scope = scope;
  field.result = not_answered;
  if (!works(call.field_values, device, 1, &field) || field.result != 0) return {};
  return whole_number(field);
}

}  // namespace assay::machine
