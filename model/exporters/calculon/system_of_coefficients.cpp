// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/system_of_coefficients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "harness/core/error.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model::calculon {
namespace {

using Json = nlohmann::ordered_json;

/// The operations that Calculon needs of a network; it knows no other.
constexpr std::array needed_operations{"p2p", "reduce_scatter", "all_gather", "all_reduce"};

std::optional<Json> read_base(const std::string& path) {
  if (path.empty()) return std::nullopt;
  static_cast<void>(read_system(read_json(path), path));  // refuses an unusable one
  return read_ordered_json(path);
}

class Filling {
 public:
  Filling(const std::string& coefficients, const std::string& base)
      : coefficients_(coefficients), base_path_(base), base_(read_base(base)) {
    fit::DescribedSystem described = fit::system_in(coefficients);
    made_ = {.system = std::move(described.system), .notes = std::move(described.not_measured)};
    static_cast<void>(read_system(nlohmann::json(made_.system), coefficients, Model::assay));
  }

  SystemOfCoefficients filled() && {
    fill_engines();
    fill_second_memory();
    fill_networks();
    return std::move(made_);
  }

 private:
  void take_from_base(const std::string& key) {
    made_.notes.push_back(fmt::format("{}: of {}", key, base_path_));
  }

  void fill_engines() {
    if (!base_) return;
    for (const auto& [dtype, engine] : made_.system["matrix"].items()) {
      if (made_.system["vector"].contains(dtype) || !(*base_)["vector"].contains(dtype)) continue;
      made_.system["vector"][dtype] = (*base_)["vector"][dtype];
      take_from_base("vector." + dtype);
    }
  }

  void fill_second_memory() {
    if (!base_ || made_.system["mem2"]["GiB"] != 0) return;
    made_.system["mem2"] = (*base_)["mem2"];
    take_from_base("mem2");
  }

  /// Tiers beyond the measured ones, which are the first, are the base's.
  void fill_networks() {
    Json& networks = made_.system["networks"];
    drop_unmeasured(networks);
    if (base_ && networks[0]["size"] == 1) {
      networks = (*base_)["networks"];
      return take_from_base("networks");
    }
    for (std::size_t tier = 0; tier < networks.size(); ++tier) fill_operations(networks[tier], tier);
    if (!base_) return;
    for (std::size_t tier = networks.size(); tier < (*base_)["networks"].size(); ++tier) {
      networks.push_back((*base_)["networks"][tier]);
      take_from_base(fmt::format("networks[{}]", tier));
    }
  }

  /// Networks of one processor, but for the first. Calculon knows no `tier`.
  static void drop_unmeasured(Json& networks) {
    while (networks.size() > 1 && networks.back()["size"] == 1) networks.erase(networks.size() - 1);
    for (Json& network : networks) network.erase("tier");
  }

  /// The base's of the same tier; of its last one where it has fewer.
  const Json& network_of_base(std::size_t tier) const {
    const Json& networks = (*base_)["networks"];
    return networks[std::min(tier, networks.size() - 1)];
  }

  void fill_operations(Json& network, std::size_t tier) {
    Json filled = Json::object();
    std::vector<std::string> lacking;
    for (const char* operation : needed_operations) {
      filled[operation] = network["ops"][operation];
      if (!filled[operation].is_null()) continue;
      lacking.emplace_back(operation);
      if (!base_) continue;
      filled[operation] = network_of_base(tier)["ops"][operation];
      take_from_base(fmt::format("networks[{}].ops.{}", tier, operation));
    }
    if (!lacking.empty() && !base_)
      core::usage_error(fmt::format(
          "{}: networks[{}].ops: {} not measured, and Calculon needs all four: expected --base SYSTEM, a "
          "file of Calculon",
          coefficients_, tier, fmt::join(lacking, ", ")));
    network["ops"] = std::move(filled);
  }

  std::string coefficients_, base_path_;
  std::optional<Json> base_;
  SystemOfCoefficients made_;
};

}  // namespace

SystemOfCoefficients system_of_coefficients(const std::string& coefficients, const std::string& base) {
  return Filling(coefficients, base).filled();
}

}  // namespace assay::model::calculon
