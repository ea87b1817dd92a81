// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/points.hpp"

#include <fmt/core.h>

#include <utility>

#include "harness/core/error.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::gemm {
namespace {

using core::Axis;
using core::Domain;

Axis words(std::string name, std::string meaning, std::vector<core::Value> values,
           std::vector<std::string> choices) {
  return {.name = std::move(name),
          .meaning = std::move(meaning),
          .domain = Domain::words,
          .values = std::move(values),
          .choices = std::move(choices)};
}

Axis numbers(std::string name, std::string meaning, std::vector<core::Value> values) {
  return {.name = std::move(name), .meaning = std::move(meaning), .values = std::move(values)};
}

std::vector<Axis> shared_axes() {
  return {words("data", "what the operands hold", {"normal"}, all_data()),
          words("cache", "cold: operands rotate over 3x the last-level cache; hot: one set", {"cold"},
                {"cold", "hot"}),
          words("algorithm", "library: its first choice; best: the fastest of its candidates", {"library"},
                {"library", "best"})};
}

std::int64_t or_as_m(const core::Point& point, std::string_view name) {
  const std::int64_t size = point.integer(name);
  return size == 0 ? point.integer("m") : size;
}

template <class Choice>
Choice choose(const core::Point& point, const char* axis, const char* first, const char* second) {
  const std::string& word = point.text(axis);
  if (word == first) return static_cast<Choice>(0);
  if (word == second) return static_cast<Choice>(1);
  core::usage_error(fmt::format("{} '{}': expected {} or {}", axis, word, first, second));
}

Request with_conditions(const core::Point& point, const Problem& problem) {
  return {.problem = problem,
          .data = data_from(point.text("data")),
          .cache = choose<CacheState>(point, "cache", "cold", "hot"),
          .algorithm = choose<AlgorithmChoice>(point, "algorithm", "library", "best")};
}

}  // namespace

std::vector<Axis> matmul_axes(const MatmulSweep& sweep) {
  std::vector<Axis> axes = {
      numbers("m", "rows of the result", sweep.sizes),
      numbers("n", "columns of the result; 0: as m", {std::int64_t{0}}),
      numbers("k", "length of the sums; 0: as m", {std::int64_t{0}}),
      words("dtype", "type of the operands", sweep.dtypes, all_dtypes()),
      words("layout", "how operands lie in memory, as in this pass of training", {"forward"}, all_passes())};
  for (Axis& axis : shared_axes()) axes.push_back(std::move(axis));
  return axes;
}

std::vector<Axis> transformer_axes(const TransformerSweep& sweep) {
  std::vector<Axis> axes = {
      words("model", "a preset's name or a model file (.toml)", sweep.models, {}),
      numbers("tokens", "tokens of a microbatch: sequence length times sequences", sweep.tokens),
      numbers("tp", "tensor-parallel degree, 1 to 64", sweep.tps),
      words("gemm", "which product of the block", {"qkv", "attention_output", "up_gate", "down"},
            workload::all_block_gemms()),
      words("pass", "forward, or the gradient of the data or of the weights", {"forward", "dgrad", "wgrad"},
            all_passes()),
      words("dtype", "type of the operands", sweep.dtypes, all_dtypes())};
  for (Axis& axis : shared_axes()) axes.push_back(std::move(axis));
  return axes;
}

std::vector<Axis> attention_axes(const AttentionSweep& sweep) {
  std::vector<Axis> axes = {
      words("product", "scores: queries by keys (Q K^T); context: probabilities by values (P V)",
            {"scores", "context"}, {"scores", "context"}),
      numbers("batch", "products in one call: sequences times heads", sweep.batches),
      numbers("seq", "sequence length", sweep.seqs), numbers("head", "size of a head", sweep.heads),
      words("dtype", "type of the operands", sweep.dtypes, all_dtypes())};
  for (Axis& axis : shared_axes()) axes.push_back(std::move(axis));
  return axes;
}

Request matmul_request(const core::Point& point) {
  const Problem problem{.m = point.integer("m"),
                        .n = or_as_m(point, "n"),
                        .k = or_as_m(point, "k"),
                        .dtype = dtype_from(point.text("dtype")),
                        .pass = pass_from(point.text("layout"))};
  require_possible(problem);
  return with_conditions(point, problem);
}

Request transformer_request(const core::Point& point) {
  const auto model = workload::find_model(point.text("model"));
  const std::int64_t tp = point.integer("tp");
  if (auto why = workload::indivisible(model, tp)) return {.problem = {}, .impossible = std::move(why)};
  return with_conditions(
      point, workload::rank_problem(model, point.integer("tokens"), tp,
                                    workload::block_gemm_from(point.text("gemm")),
                                    pass_from(point.text("pass")), dtype_from(point.text("dtype"))));
}

Request attention_request(const core::Point& point) {
  for (const char* axis : {"batch", "seq", "head"})
    if (const std::int64_t size = point.integer(axis); size < 1)
      core::usage_error(fmt::format("{} = {}: expected 1 or more", axis, size));
  enum class Product { scores, context };
  const bool scores = choose<Product>(point, "product", "scores", "context") == Product::scores;
  const std::int64_t seq = point.integer("seq"), head = point.integer("head");
  const Problem problem{.m = seq,
                        .n = scores ? seq : head,
                        .k = scores ? head : seq,
                        .dtype = dtype_from(point.text("dtype")),
                        .pass = scores ? Pass::forward : Pass::dgrad,
                        .batch = point.integer("batch")};
  require_possible(problem);
  return with_conditions(point, problem);
}

std::vector<core::Fact> derived(const Request& request) {
  if (request.impossible) return {};
  const Problem& problem = request.problem;
  return {{"m", problem.m},
          {"n", problem.n},
          {"k", problem.k},
          {"layout", problem.layout()},
          {"output", to_string(problem.output())}};
}

core::Work work(const Problem& problem) {
  const double operands = static_cast<double>(problem.a_bytes()) + static_cast<double>(problem.b_bytes());
  const auto output = static_cast<double>(problem.output_bytes());
  if (problem.accumulate)
    return {.bytes = operands + 2 * output,
            .flops = problem.flops(),
            .bytes_counted = "A, B and C read once, D written once; what caches make of it is not counted"};
  return {.bytes = operands + output,
          .flops = problem.flops(),
          .bytes_counted = "A and B read once, D written once; what caches make of it is not counted"};
}

core::Work work(const Request& request) { return request.impossible ? core::Work{} : work(request.problem); }

}  // namespace assay::gemm
