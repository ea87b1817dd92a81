// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "results/record/json/json_reader.hpp"
#include "results/record/json/older_form.hpp"
#include "results/record/json/older_power.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

PointRecord point_from(const JsonReader& from) {
  constexpr core::Type<PointRecord> type;
  PointRecord point;
  from.read(identity_fields(type), point);
  if (const std::string axis = axis_denied_by_key(point.key, point.point); !axis.empty())
    JsonReader::refuse("key", axis + ", as the point says", from.at("key"));
  if (is_measured(point.status)) {
    from.read(measurement_fields(type), point);
    from.read(sample_fields(type), point);
  } else {
    if (point.reason.empty())
      JsonReader::refuse("reason", "the reason of a point that is not ok", from.at("reason"));
    if (from.has("conditions")) from.read("conditions", core::any_value, point.conditions);
  }
  return point;
}

template <class T>
T record_from(const JsonReader& from) {
  T record;
  from.read(fields_of(core::Type<T>()), record);
  return record;
}

Record record_from_object(const Json& object) {
  const JsonReader from(object, "");
  std::string kind;
  from.read("record", core::any_value, kind);
  if (kind == "point") return point_from(from);
  if (kind == "context") return record_from<ContextRecord>(from);
  if (kind == "end") return record_from<EndRecord>(from);
  JsonReader::refuse("record", "context, point or end", from.at("record"));
}

/// Schema 1 called a module a room.
Json with_module(Json object) {
  if (const auto room = object.find("room"); room != object.end()) object["module"] = *room;
  return object;
}

}  // namespace

std::optional<Scalar> scalar_from(const Json& value) {
  if (value.is_number_integer()) return Scalar(value.get<std::int64_t>());
  if (value.is_number()) return Scalar(value.get<double>());
  if (value.is_string()) return Scalar(value.get<std::string>());
  return std::nullopt;
}

Record from_json(const nlohmann::ordered_json& object) {
  if (!object.is_object()) throw std::runtime_error("not a JSON object");
  const JsonReader from(object, "");
  std::int64_t schema = 0;
  from.read("schema", core::any_value, schema);
  if (schema > schema_version)
    throw std::runtime_error("schema " + std::to_string(schema) + " is newer than this program reads (" +
                             std::to_string(schema_version) + ")");
  if (schema < 1) JsonReader::refuse("schema", "1 or more", from.at("schema"));
  Record record = record_from_object(schema == 1 ? with_module(object) : object);
  if (auto* const point = std::get_if<PointRecord>(&record)) {
    read_older_form(*point);
    read_older_types(*point);
    read_older_power(*point);
    if (schema == 1) read_older_units(*point);
  }
  return record;
}

}  // namespace assay::results
