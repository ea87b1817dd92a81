// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/read.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/json/json_keys.hpp"
#include "model/predict/read/read_extensions.hpp"

namespace assay::model {

namespace {

constexpr std::array<std::string_view, 23> execution_keys = {"num_procs",
                                                             "tensor_par",
                                                             "pipeline_par",
                                                             "data_par",
                                                             "tensor_par_net",
                                                             "pipeline_par_net",
                                                             "data_par_net",
                                                             "batch_size",
                                                             "microbatch_size",
                                                             "datatype",
                                                             "fused_activation",
                                                             "attention_type",
                                                             "activation_recompute",
                                                             "pipeline_interleaving",
                                                             "optimizer_sharding",
                                                             "tensor_par_comm_type",
                                                             "tensor_par_overlap",
                                                             "seq_par_ag_redo",
                                                             "data_par_overlap",
                                                             "weight_offload",
                                                             "activations_offload",
                                                             "optimizer_offload",
                                                             "training"};

void read_degrees(const JsonKeys& keys, Execution& e) {
  const auto tier = [&](const char* key) { return static_cast<std::size_t>(keys.whole(key, 0)); };
  e.num_procs = keys.count("num_procs");
  e.tensor_par = keys.count("tensor_par");
  e.pipeline_par = keys.count("pipeline_par");
  e.data_par = keys.count("data_par");
  e.tensor_par_net = tier("tensor_par_net");
  e.pipeline_par_net = tier("pipeline_par_net");
  e.data_par_net = tier("data_par_net");
  e.batch_size = keys.count("batch_size");
  e.microbatch_size = keys.count("microbatch_size");
  e.interleaving = keys.count("pipeline_interleaving");
}

void read_options(const JsonKeys& keys, Execution& e) {
  e.datatype = static_cast<Datatype>(keys.one_of("datatype", datatype_names));
  e.fused_activation = keys.flag("fused_activation");
  e.attention = static_cast<Attention>(keys.one_of("attention_type", attention_names));
  e.recompute = static_cast<Recompute>(keys.one_of("activation_recompute", recompute_names));
  e.optimizer_sharding = keys.flag("optimizer_sharding");
  e.tensor_par_comm = static_cast<TensorParComm>(keys.one_of("tensor_par_comm_type", tensor_par_comm_names));
  e.tensor_par_overlap =
      static_cast<TensorParOverlap>(keys.one_of("tensor_par_overlap", tensor_par_overlap_names));
  e.seq_par_ag_redo = keys.flag("seq_par_ag_redo");
  e.data_par_overlap = keys.flag("data_par_overlap");
  e.weight_offload = keys.flag("weight_offload");
  e.activations_offload = keys.flag("activations_offload");
  e.optimizer_offload = keys.flag("optimizer_offload");
  e.training = keys.flag("training");
}

}  // namespace

Application read_application(const JsonValue& json, Model model) {
  const JsonKeys keys(json);
  Application application{.hidden = keys.count("hidden"),
                          .feedforward = keys.count("feedforward"),
                          .seq_size = keys.count("seq_size"),
                          .attn_heads = keys.count("attn_heads"),
                          .attn_size = keys.count("attn_size"),
                          .num_blocks = keys.count("num_blocks")};
  if (model == Model::assay) read_extensions(keys, application);
  return application;
}

Execution read_execution(const JsonValue& json, Model model) {
  const JsonKeys keys(json);
  if (model == Model::calculon) keys.only(execution_keys);
  Execution e;
  read_degrees(keys, e);
  if (model == Model::assay) read_extensions(keys, execution_keys, e);
  read_options(keys, e);
  return e;
}

nlohmann::json to_json(const Execution& e) {
  const auto name = [](const auto& names, auto value) { return names[static_cast<std::size_t>(value)]; };
  nlohmann::json json = {{"num_procs", e.num_procs},
                         {"tensor_par", e.tensor_par},
                         {"pipeline_par", e.pipeline_par},
                         {"data_par", e.data_par},
                         {"tensor_par_net", e.tensor_par_net},
                         {"pipeline_par_net", e.pipeline_par_net},
                         {"data_par_net", e.data_par_net},
                         {"batch_size", e.batch_size},
                         {"microbatch_size", e.microbatch_size},
                         {"datatype", name(datatype_names, e.datatype)},
                         {"fused_activation", e.fused_activation},
                         {"attention_type", name(attention_names, e.attention)},
                         {"activation_recompute", name(recompute_names, e.recompute)},
                         {"pipeline_interleaving", e.interleaving},
                         {"optimizer_sharding", e.optimizer_sharding},
                         {"tensor_par_comm_type", name(tensor_par_comm_names, e.tensor_par_comm)},
                         {"tensor_par_overlap", name(tensor_par_overlap_names, e.tensor_par_overlap)},
                         {"seq_par_ag_redo", e.seq_par_ag_redo},
                         {"data_par_overlap", e.data_par_overlap},
                         {"weight_offload", e.weight_offload},
                         {"activations_offload", e.activations_offload},
                         {"optimizer_offload", e.optimizer_offload},
                         {"training", e.training}};
  add_extensions(e, json);
  return json;
}

Application read_application(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_application(JsonDocument(file + ": ", tree).root(), model);
}

Execution read_execution(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_execution(JsonDocument(file + ": ", tree).root(), model);
}

System read_system(const nlohmann::json& tree, const std::string& file, Model model) {
  return read_system(JsonDocument(file + ": ", tree).root(), model);
}

namespace {

/// "(application.json)" where the rule concerns what that file holds: either of the two may be wrong.
std::string file_of(std::string_view part, const std::string& broken, const JsonValue& json) {
  if (broken.find(part) == std::string::npos || json.place() != 0) return {};
  const std::string opening = json.document().place_of(0);
  return fmt::format(" ({})", opening.substr(0, opening.rfind(": ")));
}

}  // namespace

void require_fit(const Application& application, const Execution& execution, const System& system,
                 const ConfigurationJson& json) {
  const std::string broken = misfit(application, execution, system);
  if (broken.empty()) return;
  const bool is_whole_file = json.execution.place() == 0;
  core::usage_error(fmt::format(
      "{}{}{}{}{}", json.execution.document().place_of(json.execution.place()), is_whole_file ? "" : ".",
      broken, file_of("application's", broken, json.application), file_of("system's", broken, json.system)));
}

}  // namespace assay::model
