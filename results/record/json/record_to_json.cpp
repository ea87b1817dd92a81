// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/json_fields.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results {
namespace {

OrderedJson record_of_kind(const char* kind) { return {{"record", kind}, {"schema", schema_version}}; }

OrderedJson to_json(const PointRecord& point) {
  constexpr core::Type<PointRecord> type;
  OrderedJson object = record_of_kind("point");
  put_fields(object, identity_fields(type), point);
  if (is_measured(point.status)) {
    put_fields(object, measurement_fields(type), point);
    put_fields(object, sample_fields(type), point);
  } else if (!point.conditions.empty()) {
    object["conditions"] = json_of(point.conditions);
  }
  return object;
}

template <class T>
OrderedJson to_json(const char* kind, const T& record) {
  OrderedJson object = record_of_kind(kind);
  put_fields(object, fields_of(core::Type<T>()), record);
  return object;
}

OrderedJson to_json(const ContextRecord& context) { return to_json("context", context); }
OrderedJson to_json(const EndRecord& end) { return to_json("end", end); }

}  // namespace

OrderedJson to_json(const Record& record) {
  return std::visit([](const auto& held) { return to_json(held); }, record);
}

OrderedJson to_json(const Scalar& value) {
  const auto* const real = std::get_if<double>(&value);
  return real ? json_of(*real) : std::visit([](const auto& held) { return OrderedJson(held); }, value);
}

}  // namespace assay::results
