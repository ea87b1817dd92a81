// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/axes.hpp"

#include <string>
#include <utility>

#include "collectives/algorithms/table.hpp"
#include "collectives/data_type.hpp"
#include "collectives/nccl/forced_choice.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

Axis words(const std::string& name, const std::string& meaning, const std::vector<Value>& values,
           std::vector<std::string> choices) {
  return {name, meaning, Domain::words, values, std::move(choices)};
}

void add_device_axes(std::vector<Axis>& axes) {
  axes.push_back(words("launch",
                       "each iteration waited for, or a sample's in one group or as a replayed graph",
                       {std::string("blocking")}, {"blocking", "group", "graph"}));
  axes.push_back({"registered",
                  "1: buffers are NCCL's own and registered with the communicator",
                  Domain::integers,
                  {std::int64_t{0}}});
  axes.push_back(words("communicator", "made for each point, or kept from point to point of a sweep",
                       {std::string("point")}, {"point", "sweep"}));
}

void add_choice_axes(std::vector<Axis>& axes) {
  const std::string first(left_to_nccl);
  axes.push_back(words("algorithm", "forced upon NCCL", {first}, nccl_algorithms()));
  axes.push_back(words("protocol", "forced upon NCCL", {first}, nccl_protocols()));
  axes.push_back({"channels",
                  "of NCCL, each a block of threads (minCTAs and maxCTAs); 0: its own choice",
                  Domain::integers,
                  {std::int64_t{0}}});
  axes.push_back(words("window", "symmetric: buffers are NCCL's own, in windows of all ranks",
                       {std::string("none")}, {"none", "symmetric"}));
  axes.push_back(words("cta_policy", "blocks of threads that NCCL may use; zero: copy engines", {first},
                       {first, "efficiency", "zero"}));
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& all) {
  std::vector<std::string> names;
  for (const T one : all) names.emplace_back(to_text(one));
  return names;
}

void add_data_axes(std::vector<Axis>& axes, BackEnd back_end, Operation operation) {
  const std::vector<Value> sizes{std::int64_t{8}, std::int64_t{1} << 10, std::int64_t{1} << 16,
                                 std::int64_t{1} << 20};
  if (operation != Operation::all_to_all_v)
    axes.push_back({"bytes", "of the larger buffer of a rank: all blocks together", Domain::sizes, sizes});
  axes.push_back(words("dtype", "data type", {std::string("fp32")}, names_of(data_types())));
  if (reduces(operation))
    axes.push_back(words("operator", "of the reduction", {std::string("sum")}, names_of(operators())));
  const bool only_in_place = back_end == BackEnd::mpi && operation == Operation::broadcast;
  axes.push_back({"in_place",
                  "1: input and output share a buffer",
                  Domain::integers,
                  {std::int64_t{only_in_place ? 1 : 0}}});
  if (has_root(operation)) axes.push_back({"root", "rank of the group", Domain::integers, {std::int64_t{0}}});
}

}  // namespace

Axis algorithm_axis(Operation operation, std::string_view only) {
  Axis axis = words("algorithm", "of assay, over send, receive and wait", {}, {});
  for (const Algorithm& row : algorithms())
    if (row.operation == operation) {
      if (only.empty() || only == row.name) axis.values.emplace_back(std::string(row.name));
      axis.choices.emplace_back(row.name);
    }
  return axis;
}

std::vector<Axis> axes_of(BackEnd back_end, Operation operation) {
  std::vector<Axis> axes;
  if (has_algorithms(back_end)) axes.push_back(algorithm_axis(operation));
  if (on_device(back_end)) add_device_axes(axes);
  if (back_end == BackEnd::nccl) add_choice_axes(axes);
  if (operation != Operation::barrier) add_data_axes(axes, back_end, operation);
  axes.push_back(words("groups",
                       "who runs one together: all, first:4, nodes, rails, halves, node_pairs, or 0-3|4+6",
                       {std::string("all")}, {}));
  axes.push_back(words("turns", "of groups", {std::string("at_once")}, {"at_once", "in_turn"}));
  axes.push_back(
      words("between", "two iterations, untimed", {std::string("nothing")}, {"nothing", "barrier"}));
  return axes;
}

}  // namespace assay::collectives
