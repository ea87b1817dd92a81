// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/nvml/nvml_fields.hpp"

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

std::optional<NvmlFieldValue> ask(const NvmlFunctions& call, NvmlHandle device, unsigned which,
                                  unsigned scope) {
  NvmlFieldValue field{};
  field.field = which;
  field.scope = scope;
  field.result = not_answered;
  if (!works(call.field_values, device, 1, &field) || field.result != 0) return {};
  return field;
}

}  // namespace

std::optional<std::uint64_t> read_field(const NvmlFunctions& call, NvmlHandle device, NvmlField which,
                                        unsigned scope) {
  const auto field = ask(call, device, which, scope);
  return field ? whole_number(*field) : std::nullopt;
}

std::optional<std::uint64_t> read_wide_field(const NvmlFunctions& call, NvmlHandle device, unsigned which) {
  const auto field = ask(call, device, which, 0);
  const bool wide = field && (field->type == 3 || field->type == 4);
  return wide ? whole_number(*field) : std::nullopt;
}

}  // namespace assay::machine
