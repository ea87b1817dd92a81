// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A recommendation model: tables of embeddings are dealt out over ranks in turn, dense layers are copied
// (Naumov et al. 2019, "Deep Learning Recommendation Model", arXiv 1906.00091, section 4). With b samples of
// a rank, t tables of the owner and D elements a vector, each rank sends an owner b t pooling indices of 8
// bytes, the owner sends each rank b t D elements, and gets their gradients: all-to-all-v, uneven where ranks
// do not divide the tables. The all-reduce of dense gradients runs next to the last.
#include <array>

#include "harness/training/preset_makers.hpp"

namespace assay::training {
namespace {

/// Tables, vectors and layers as in MLPerf's DLRM on Criteo data: 13-512-256-128 and
/// 479-1024-1024-512-256-1, with biases.
constexpr std::array recommendation_keys{rate_key,
                                         PresetKey{"tables", "of embeddings", 26},
                                         PresetKey{"dimension", "elements of a vector", 128},
                                         PresetKey{"pooling", "vectors looked up in a table for a sample", 1},
                                         PresetKey{"batch", "samples of a rank", 2048},
                                         PresetKey{"dense", "parameters of the dense layers", 2368897},
                                         PresetKey{"element", "bytes of an element", 4}};

constexpr double index_bytes = 8;

enum class Way { to_owner, from_owner };

StepOperation all_to_all_v(const PresetInput& in, std::string name, double bytes_of_table, Way way) {
  BytesMatrix matrix(in.ranks, std::vector<std::uint64_t>(in.ranks));
  for (std::uint32_t from = 0; from < in.ranks; ++from)
    for (std::uint32_t to = 0; to < in.ranks; ++to)
      matrix[from][to] = static_cast<std::uint64_t>(
          bytes_of_table * tables_of(in.count("tables"), in.ranks, way == Way::to_owner ? to : from));
  const auto most = static_cast<double>(most_sent(matrix));
  return {.name = std::move(name),
          .traffic = Traffic::all_to_all_v,
          .among = "tables",
          .groups = groups_of(in, "ranks", 1, in.ranks),
          .bytes = most,
          .matrix = std::make_shared<const BytesMatrix>(std::move(matrix))};
}

TrainingStep make_recommendation(const PresetInput& in) {
  if (in.ranks > most_matrix_ranks) refuse("ranks", "expected at most 4096, as a matrix holds");
  const double looked_up = in.at("batch") * in.at("dimension") * in.at("element");
  const double forward_s = compute_s(in, 2 * in.at("dense") * in.at("batch"));
  TrainingStep step;
  StepStream forward{.name = "forward"};
  append(forward,
         all_to_all_v(in, "indices", in.at("batch") * in.at("pooling") * index_bytes, Way::to_owner));
  append(forward, all_to_all_v(in, "embeddings", looked_up, Way::from_owner));
  append(forward, compute("dense forward", forward_s));
  append(forward, compute("dense backward", 2 * forward_s));
  const std::string before = add(step, std::move(forward));
  StepStream sparse{.name = "gradients of embeddings", .after = {before}};
  append(sparse, all_to_all_v(in, "gradients of embeddings", looked_up, Way::to_owner));
  add(step, std::move(sparse));
  StepStream dense{.name = "gradients of dense layers", .after = {before}};
  append(dense, {.name = "gradients of dense layers",
                 .traffic = Traffic::all_reduce,
                 .among = "data",
                 .groups = groups_of(in, "ranks", 1, in.ranks),
                 .bytes = in.at("dense") * in.at("element")});
  add(step, std::move(dense));
  return step;
}

}  // namespace

std::uint32_t tables_of(std::uint32_t tables, std::uint32_t ranks, std::uint32_t rank) {
  return tables / ranks + (rank < tables % ranks ? 1 : 0);
}

Preset recommendation_preset() {
  return {.name = "dlrm",
          .meaning = "recommendation model: all-to-all-v of embeddings, all-reduce of dense layers",
          .source = "Naumov et al. 2019, Deep Learning Recommendation Model",
          .has_blocks = false,
          .keys = recommendation_keys,
          .make = make_recommendation};
}

}  // namespace assay::training
