// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "model/fit/fit_json.hpp"
#include "model/fit/gemm_features.hpp"

namespace assay::model::fit {
namespace {

/// A leaf is its value; another node is [feature, threshold, child].
Json json_of(const Tree& tree) {
  Json nodes = Json::array();
  for (const TreeNode& node : tree) {
    if (node.child == 0)
      nodes.push_back(std::round(node.value * 1e7) / 1e7);
    else
      nodes.push_back({node.feature, node.threshold, node.child});
  }
  return nodes;
}

/// Children lie behind their parent, so that every walk ends.
TreeNode node_from(const Json& json, std::size_t at, std::size_t nodes, std::size_t features) {
  if (json.is_number()) return {.value = json.get<double>()};
  const TreeNode node{json.at(0), json.at(1), json.at(2)};
  if (json.size() != 3 || node.feature >= features || node.child <= at || node.child + 1 >= nodes)
    throw std::runtime_error(fmt::format("key 'surfaces': node {} of a tree points outside", at));
  return node;
}

Tree tree_from(const Json& json, std::size_t features) {
  if (!json.is_array() || json.empty()) throw std::runtime_error("key 'surfaces': a tree has no nodes");
  Tree tree;
  for (std::size_t at = 0; at < json.size(); ++at)
    tree.push_back(node_from(json[at], at, json.size(), features));
  return tree;
}

Json json_of(const ShapeRange& range) {
  const auto& [least, most] = range;
  return {{"m", {least.m, most.m}}, {"n", {least.n, most.n}}, {"k", {least.k, most.k}}};
}

std::array<double, 2> ends_from(const Json& json, const char* size) {
  const Json ends = json.is_object() ? json.value(size, Json()) : Json();
  const bool numbers = ends.is_array() && ends.size() == 2 && ends[0].is_number() && ends[1].is_number();
  if (!numbers || ends[0] <= 0 || ends[1] < ends[0])
    throw std::runtime_error(
        fmt::format("key 'measured.{}': expected [least, most] above 0, got {}", size, ends.dump()));
  return {ends[0], ends[1]};
}

ShapeRange shape_range_from(const Json& json) {
  const auto m = ends_from(json, "m"), n = ends_from(json, "n"), k = ends_from(json, "k");
  return {{m[0], n[0], k[0]}, {m[1], n[1], k[1]}};
}

}  // namespace

Json json_of(const BoostedTrees& surface) {
  Json json = Json::array();
  for (const Tree& tree : surface.trees()) json.push_back(json_of(tree));
  return json;
}

Json json_of(const GemmFit& fit) {
  const GemmModel& model = fit.model;
  Json coefficients;
  for (const Coefficient& coefficient : model.coefficients)
    coefficients[coefficient.name] = json_of(coefficient);
  return {{"formula", to_string(model.formula)},
          {"multiprocessors", model.device.multiprocessors},
          {"operand_bytes", model.device.operand_bytes},
          {"result_bytes", model.device.result_bytes},
          {"measured", model.measured ? json_of(*model.measured) : Json()},
          {"coefficients", coefficients},
          {"held_out",
           {{"rows", json_of(fit.held_out.rows)},
            {"pairs", json_of(fit.held_out.pairs)},
            {"formula_alone_mape_percent", fit.held_out.core_mape_percent}}}};
}

GemmModel gemm_model_from(const Json& json, const Json& surface) {
  GemmModel model;
  const auto formula = gemm_formula_named(json.at("formula"));
  if (!formula) throw std::runtime_error("key 'formula': expected roofline or waves");
  model.formula = *formula;
  model.device = {positive_from(json, "multiprocessors"), positive_from(json, "operand_bytes"),
                  positive_from(json, "result_bytes")};
  if (json.contains("measured") && !json.at("measured").is_null())
    model.measured = shape_range_from(json.at("measured"));
  const Json& coefficients = json.at("coefficients");
  for (const std::string& name : coefficient_names(model.formula)) {
    const Json& named = coefficients.at(name);
    model.coefficients.push_back({name, positive_from(named, "value"), positive_from(named, "lower"),
                                  positive_from(named, "upper"), named.at("supported")});
  }
  const std::size_t features = gemm_features({1, 1, 1}, model.device.multiprocessors).size();
  std::vector<Tree> trees;
  for (const Json& tree : surface) trees.push_back(tree_from(tree, features));
  model.surface = BoostedTrees(std::move(trees));
  return model;
}

}  // namespace assay::model::fit
