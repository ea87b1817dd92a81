// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "model/fit/coefficients/fit_json.hpp"
#include "model/fit/laws/gemm_features.hpp"

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
bool is_node(const JsonValue& json, std::size_t at, std::size_t nodes, std::size_t features) {
  if (json.is_number()) return true;
  return json.is_array() && json.size() == 3 && json[0].is_number_unsigned() && is_finite_number(json[1]) &&
         json[2].is_number_unsigned() && json[0].get<std::size_t>() < features &&
         json[2].get<std::size_t>() > at && json[2].get<std::size_t>() < nodes - 1;
}

TreeNode node_from(const JsonValue& json) {
  if (json.is_number()) return {.value = json.get<double>()};
  return {.feature = json[0].get<std::size_t>(),
          .threshold = json[1].get<double>(),
          .child = json[2].get<std::size_t>()};
}

BoostedTrees surface_from(const JsonKeys& surfaces, const std::string& group, std::size_t features) {
  std::vector<Tree> trees;
  for (const JsonValue nodes : surfaces.list(group)) {
    Tree tree;
    const std::string place = fmt::format("{}[{}]", group, trees.size());
    if (!nodes.is_array() || nodes.empty()) surfaces.fail(place, "a list of one node or more", nodes);
    for (const JsonValue node : nodes) {
      if (!is_node(node, tree.size(), nodes.size(), features))
        surfaces.fail(fmt::format("{}[{}]", place, tree.size()),
                      "a number, or [feature, threshold, the first of two nodes behind it]", node);
      tree.push_back(node_from(node));
    }
    trees.push_back(std::move(tree));
  }
  return BoostedTrees(std::move(trees));
}

Json json_of(const ShapeRange& range) {
  const auto& [least, most] = range;
  Json json = {{"m", {least.m, most.m}}, {"n", {least.n, most.n}}, {"k", {least.k, most.k}}};
  if (most.batch > 1) json["batch"] = {least.batch, most.batch};
  return json;
}

std::array<double, 2> ends_from(const JsonKeys& keys, const char* size) {
  const JsonValue ends = keys.at(size);
  if (!ends.is_array() || ends.size() != 2 || !is_finite_number(ends[0]) || !is_finite_number(ends[1]) ||
      ends[0].get<double>() <= 0 || ends[1].get<double>() < ends[0].get<double>())
    keys.fail(size, "[least, most] above 0", ends);
  return {ends[0].get<double>(), ends[1].get<double>()};
}

ShapeRange shape_range_from(const JsonKeys& keys) {
  const auto m = ends_from(keys, "m"), n = ends_from(keys, "n"), k = ends_from(keys, "k");
  const auto batch = keys.has("batch") ? ends_from(keys, "batch") : std::array{1.0, 1.0};
  return {{m[0], n[0], k[0], batch[0]}, {m[1], n[1], k[1], batch[1]}};
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
            {"repeats", json_of(fit.held_out.repeats)},
            {"formula_alone_mape_percent", fit.held_out.core_mape_percent}}}};
}

GemmModel gemm_model_from(const JsonKeys& keys, const JsonKeys& surfaces, const std::string& group) {
  GemmModel model;
  const auto formula = gemm_formula_named(keys.word("formula"));
  if (!formula) keys.fail("formula", "roofline or waves", keys.at("formula"));
  model.formula = *formula;
  model.device = {keys.above_zero("multiprocessors"), keys.above_zero("operand_bytes"),
                  keys.above_zero("result_bytes")};
  if (keys.has("measured") && !keys.at("measured").is_null())
    model.measured = shape_range_from(keys.object("measured"));
  const JsonKeys coefficients = keys.object("coefficients");
  for (const std::string& name : coefficient_names(model.formula)) {
    const JsonKeys named = coefficients.object(name);
    model.coefficients.push_back({name, named.above_zero("value"), named.above_zero("lower"),
                                  named.above_zero("upper"), named.flag("supported")});
  }
  const std::size_t features = gemm_features({1, 1, 1}, model.device.multiprocessors).size();
  model.surface = surface_from(surfaces, group, features);
  return model;
}

}  // namespace assay::model::fit
