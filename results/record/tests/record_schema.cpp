// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/tests/record_schema.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "results/record/record.hpp"

namespace assay::results::test {
namespace {

using Json = nlohmann::ordered_json;
using core::Terms;
using core::Type;

constexpr const char* utc_time_pattern =
    R"(^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$)";

void put_range(Json& schema, const Terms& terms) {
  if (std::isfinite(terms.lowest)) schema["minimum"] = std::llround(terms.lowest);
  if (std::isfinite(terms.highest)) schema["maximum"] = std::llround(terms.highest);
}

Json schema_of(const Terms& terms, Type<std::string>) {
  if (!terms.words.empty()) return {{"enum", terms.words}};
  Json schema{{"type", "string"}};
  if (terms.form == Terms::Form::not_empty) schema["minLength"] = 1;
  if (terms.form == Terms::Form::utc_time) schema["pattern"] = utc_time_pattern;
  return schema;
}
template <std::integral Whole>
Json schema_of(const Terms& terms, Type<Whole>) {
  Json schema{{"type", "integer"}};
  put_range(schema, terms);
  return schema;
}
Json schema_of(const Terms&, Type<bool>) { return {{"type", "boolean"}}; }
/// A number that was not finite is null, but in a range with two ends.
Json schema_of(const Terms& terms, Type<double>) {
  if (!std::isfinite(terms.lowest)) return {{"$ref", "#/$defs/number"}};
  Json schema;
  schema["type"] = std::isfinite(terms.highest) ? Json("number") : Json{"number", "null"};
  put_range(schema, terms);
  return schema;
}
Json schema_of(const Terms&, Type<std::optional<double>>) { return {{"type", "number"}}; }
Json schema_of(const Terms&, Type<Fields>) { return {{"$ref", "#/$defs/fields"}}; }
Json schema_of(const Terms& terms, Type<Json>) {
  Json schema = Json::object();
  if (terms.form == Terms::Form::object) schema["type"] = {"object", "null"};
  return schema;
}
template <class Enum>
  requires std::is_enum_v<Enum>
Json schema_of(const Terms&, Type<Enum>) {
  return {{"enum", words_for(Type<Enum>()).words}};
}
template <core::Described T>
Json schema_of(const Terms& terms, Type<T>);
template <core::Described T>
Json schema_of(const Terms& terms, Type<std::optional<T>>) {
  return schema_of(terms, Type<T>());
}
template <class Part>
Json schema_of(const Terms&, Type<std::vector<Part>>) {
  return {{"type", "array"}, {"items", schema_of(core::any_value, Type<Part>())}};
}

Json described(Json schema, const Terms& terms) {
  if (!terms.about.empty()) schema["description"] = terms.about;
  return schema;
}

/// An object with the rows that have been added.
struct ObjectSchema {
  Json required = Json::array(), properties = Json::object();

  template <core::FieldName name, auto member>
  void add(const core::Field<name, member>& field) {
    const auto type = core::value_of(member);
    if (!field.terms.may_be_absent && !core::is_optional<typename decltype(type)::type>)
      required.push_back(name.text);
    properties[name.text] = described(schema_of(field.terms, type), field.terms);
  }
  template <core::FieldName name, class... Part>
  void add(const core::Group<name, Part...>& group) {
    ObjectSchema inner;
    core::each_row(group.parts, [&](const auto& part) { inner.add(part); });
    required.push_back(name.text);
    properties[name.text] = inner.schema();
  }
  template <auto member, class... Part>
  void add(const core::Columns<member, Part...>& columns) {
    core::each_row(columns.parts, [&](const auto& part) {
      const Json items = schema_of(part.terms, core::value_of(part.member));
      properties[part.name.text] = described({{"type", "array"}, {"items", items}}, part.terms);
    });
  }

  Json schema() const {
    return {{"type", "object"},
            {"required", required},
            {"additionalProperties", false},
            {"properties", properties}};
  }
};

template <class... Row>
ObjectSchema object_of(const std::tuple<Row...>& rows) {
  ObjectSchema object;
  core::each_row(rows, [&](const auto& row) { object.add(row); });
  return object;
}

template <core::Described T>
Json schema_of(const Terms&, Type<T>) {
  return object_of(fields_of(Type<T>())).schema();
}

/// A line of the journal: `fields` within what all records have.
ObjectSchema record_of(const std::string& kind, const ObjectSchema& fields) {
  ObjectSchema record;
  record.required = {"record", "schema"};
  record.properties = {{"record", {{"const", kind}}}, {"schema", {{"const", schema_version}}}};
  record.required.insert(record.required.end(), fields.required.begin(), fields.required.end());
  record.properties.update(fields.properties);
  record.required.push_back("crc32");
  record.properties["crc32"] = {{"type", "string"},
                                {"pattern", "^[0-9a-f]{8}$"},
                                {"description", "zlib CRC-32 of every byte before this key's comma"}};
  return record;
}

/// Rows of a measured point are properties of every point, and required of a measured one.
Json point_schema() {
  constexpr Type<PointRecord> type;
  ObjectSchema fields = object_of(identity_fields(type));
  const ObjectSchema measured = object_of(std::tuple_cat(measurement_fields(type), sample_fields(type)));
  fields.properties.update(measured.properties);
  Json schema = record_of("point", fields).schema();
  schema["if"] = {{"properties", {{"status", {{"enum", {"ok", "wrong"}}}}}}};
  schema["then"] = {{"required", measured.required}};
  schema["else"] = {{"properties", {{"reason", {{"minLength", 1}}}}}};
  schema["$defs"] = {
      {"number", {{"type", {"number", "null"}}}},
      {"fields", {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string", "null"}}}}}}};
  return schema;
}

struct Heading {
  std::string description;
  Json schema;
};

Heading heading_of(const std::string& kind) {
  if (kind == "point")
    return {"One measured point. Times are seconds per iteration. A number that was not finite is null.",
            point_schema()};
  if (kind == "context")
    return {"One per process start: what ran, where, from which source, under which plan.",
            record_of(kind, object_of(fields_of(Type<ContextRecord>()))).schema()};
  return {"How a process ended; absent after a kill.",
          record_of(kind, object_of(fields_of(Type<EndRecord>()))).schema()};
}

/// JSON in lines of at most 120 letters where an object or a list fits one.
void write(std::string& text, const Json& json, std::size_t indent) {
  constexpr std::size_t widest = 120;
  std::string line = json.dump(-1);
  if (!json.is_object() || text.size() - text.rfind('\n') + line.size() < widest) {
    text += line;
    return;
  }
  const char* separator = "{";
  for (const auto& [key, value] : json.items()) {
    text += separator + ("\n" + std::string(indent + 2, ' ') + Json(key).dump() + ": ");
    write(text, value, indent + 2);
    separator = ",";
  }
  text += "\n" + std::string(indent, ' ') + "}";
}

}  // namespace

std::string schema_text(const std::string& kind) {
  const Heading heading = heading_of(kind);
  Json all{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
           {"title", "assay " + kind + " record, schema " + std::to_string(schema_version)},
           {"description", heading.description}};
  all.update(heading.schema);
  std::string text = "\n";
  write(text, all, 0);
  return text.substr(1) + "\n";
}

}  // namespace assay::results::test
