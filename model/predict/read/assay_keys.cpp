// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/assay_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "harness/core/printable.hpp"
#include "model/predict/read/known_keys.hpp"

namespace assay::model {
namespace {

using Names = std::span<const std::string_view>;

bool holds(Names names, std::string_view key) { return std::ranges::find(names, key) != names.end(); }

/// A key of `object` that is one of `assays` and neither of `calculons` nor a remark.
std::string first_key(const JsonValue& object, Names calculons, Names assays, const std::string& place = "") {
  if (!object.is_object()) return {};
  for (const JsonValue member : object)
    if (holds(assays, member.key()) && !holds(calculons, member.key()) && !holds(remark_keys, member.key()))
      return fmt::format("{}{}{}", object.document().place_of(0), place, core::printable(member.key(), 60));
  return {};
}

std::string key_of_network(const JsonValue& network, std::size_t number) {
  const std::string place = fmt::format("networks[{}].", number);
  if (std::string key = first_key(network, {}, network_extension_keys, place); !key.empty()) return key;
  if (!network.is_object()) return {};
  const JsonValue ops = network.find("ops");
  return ops.found() ? first_key(ops, {}, operation_extension_keys, place + "ops.") : "";
}

}  // namespace

std::string assay_key_of_application(const JsonValue& application) {
  return first_key(application, keys_of_calculon<Application>(), keys_of_assay<Application>());
}

std::string assay_key_of_execution(const JsonValue& execution) {
  return first_key(execution, keys_of_calculon<Execution>(), keys_of_assay<Execution>());
}

std::string assay_key_of_system(const JsonValue& system) {
  if (std::string key = first_key(system, calculon_system_keys, system_keys); !key.empty()) return key;
  if (!system.is_object()) return {};
  const JsonValue networks = system.find("networks");
  if (!networks.found() || !networks.is_array()) return {};
  std::size_t number = 0;
  for (const JsonValue network : networks)
    if (std::string key = key_of_network(network, number++); !key.empty()) return key;
  return {};
}

std::string chosen_by(const std::string& key) {
  return key.empty()
             ? key
             : key + ": not a key of Calculon's, so --model assay predicts (--compat calculon: Calculon)";
}

}  // namespace assay::model
