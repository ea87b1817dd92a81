// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "model/fabric/site/lldp/lldpcli_system.hpp"
#include "model/json/json_document.hpp"

namespace assay::model::fabric::site {

namespace {

/// json has an object or a string where json0 has a list of objects.
void for_each_in(const JsonValue& value, const std::function<void(const JsonValue&)>& take) {
  if (!value.found()) return;
  if (!value.is_array()) return take(value);
  for (const JsonValue one : value) take(one);
}

std::string text_in(const JsonValue& value) {
  std::string text;
  for_each_in(value, [&](const JsonValue& one) {
    if (!text.empty()) return;
    if (one.is_string()) text = one.get<std::string>();
    if (!one.is_object()) return;
    if (const JsonValue inner = one.find("value"); inner.found() && inner.is_string())
      text = inner.get<std::string>();
  });
  return text;
}

std::string text_of_member(const JsonValue& object, std::string_view key) {
  return object.is_object() && object.find(key).found() ? text_in(object.find(key)) : "";
}

struct Chassis {
  std::string name, id;
  std::optional<bool> forwards;
};

void read_chassis(const JsonValue& value, Chassis& chassis) {
  if (!value.is_object()) return;
  chassis.id = text_of_member(value, "id");
  if (const std::string name = text_of_member(value, "name"); !name.empty()) chassis.name = name;
  for_each_in(value.find("capability"), [&](const JsonValue& one) {
    if (!one.is_object()) return;
    const JsonValue enabled = one.find("enabled");
    add_capability(chassis.forwards, text_of_member(one, "type"),
                   enabled.found() && enabled.is_boolean() && enabled.get<bool>());
  });
}

/// The system's name is a member of json0's and the only key of json's; there, one without a name has its
/// members in its place.
Chassis chassis_of(const JsonValue& value) {
  Chassis chassis;
  for_each_in(value, [&](const JsonValue& one) {
    if (!one.is_object()) return;
    const JsonValue id = one.find("id");
    const bool is_itself = id.found() && (id.is_array() || (id.is_object() && id.find("type").found()));
    if (is_itself || one.size() != 1) return read_chassis(one, chassis);
    const JsonValue named = *one.begin();
    chassis.name = std::string(named.key());
    read_chassis(named, chassis);
  });
  return chassis;
}

void add_neighbour(LldpcliSystem& system, const std::string& interface, const JsonValue& value) {
  if (!value.is_object()) return;
  const Chassis chassis = chassis_of(value.find("chassis"));
  LldpcliNeighbour one{interface, chassis.name, chassis.id, "", "", "", chassis.forwards, ""};
  for_each_in(value.find("port"), [&](const JsonValue& port) {
    one.port = text_of_member(port, "id");
    one.description = text_of_member(port, "descr");
    if (!port.is_object()) return;
    for_each_in(port.find("auto-negotiation"),
                [&](const JsonValue& rate) { one.rate = text_of_member(rate, "current"); });
  });
  system.neighbours.push_back(std::move(one));
}

void add_interfaces(LldpcliSystem& system, const JsonValue& value) {
  for_each_in(value, [&](const JsonValue& one) {
    if (!one.is_object()) return;
    if (const std::string name = text_of_member(one, "name"); !name.empty())
      return add_neighbour(system, name, one);
    for (const JsonValue named : one)
      for_each_in(named,
                  [&](const JsonValue& each) { add_neighbour(system, std::string(named.key()), each); });
  });
}

void add_output(LldpcliSystem& system, const JsonValue& root, const std::string& file) {
  if (root.is_object() && root.empty()) return;
  const JsonValue neighbours = root.is_object() ? root.find("lldp") : root;
  const JsonValue own = root.is_object() ? root.find("local-chassis") : root;
  if (!root.is_object() || (!neighbours.found() && !own.found()))
    core::usage_error(file + ": expected what 'lldpcli show neighbors' or 'show chassis' prints");
  for_each_in(neighbours, [&](const JsonValue& one) {
    if (one.is_object()) add_interfaces(system, one.find("interface"));
  });
  for_each_in(own, [&](const JsonValue& one) {
    if (!one.is_object()) return;
    const Chassis chassis = chassis_of(one.find("chassis"));
    system.name = chassis.name;
    system.chassis = chassis.id;
    system.forwards = chassis.forwards;
  });
}

void add_document(LldpcliSystem& system, const std::string& text, const std::string& file) {
  const JsonDocument document(file + ": ", text);
  for_each_in(document.root(), [&](const JsonValue& one) { add_output(system, one, file); });
}

/// Outputs after one another, each of which ends with a brace at the beginning of a line.
std::vector<std::string> outputs_of(const std::string& text) {
  std::vector<std::string> outputs;
  for (std::size_t at = 0; text.find_first_not_of(" \t\r\n", at) != std::string::npos;) {
    const std::size_t brace = text.find("\n}", at);
    const std::size_t end = brace == std::string::npos ? text.size() : brace + 2;
    outputs.push_back(text.substr(at, end - at));
    at = end;
  }
  return outputs;
}

bool is_one_document(const std::string& text) {
  try {
    const JsonDocument document("", text);
    return true;
  } catch (const core::Error&) {
    return false;
  }
}

}  // namespace

void add_lldpcli_json(LldpcliSystem& system, const std::string& text, const std::string& file) {
  if (is_one_document(text)) return add_document(system, text, file);
  try {
    for (const std::string& output : outputs_of(text)) add_document(system, output, file);
  } catch (const core::Error& error) {
    const bool is_json = text.find("\"lldp\": {") != std::string::npos;
    core::usage_error(error.what() +
                      std::string(is_json ? " (a quote in a name breaks -f json: use -f json0)" : ""));
  }
}

}  // namespace assay::model::fabric::site
