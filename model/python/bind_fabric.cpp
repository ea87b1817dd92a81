// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.fabric.
#include <pybind11/functional.h>

#include "harness/front/answers/fabric/fabric_answers.hpp"
#include "harness/front/answers/fabric/locate_answer.hpp"
#include "harness/front/answers/fabric/naming_file.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

namespace py = pybind11;
using answers::FabricQuestion;
using answers::LocateQuestion;
using answers::MeasuredSource;

answers::TomlSource toml_source(Source source) { return {std::move(source.first), std::move(source.second)}; }

/// With messages that open with the fabric's file.
template <class Ask>
std::string json_of(const FabricQuestion& question, const Ask& ask) {
  return answers::naming_file(question.fabric.file, [&] { return ask(question).json; });
}

/// The answer, and the order of ranks: server and GPU of each.
std::pair<std::string, std::vector<std::pair<std::string, int>>> place(
    const FabricQuestion& question, const std::vector<std::string>& names) {
  return answers::naming_file(question.fabric.file, [&] {
    answers::Placement placed = answers::place(question, names, "names");
    std::vector<std::pair<std::string, int>> places;
    for (const model::fabric::RankPlace& one : placed.places) places.emplace_back(one.host, one.gpu);
    return std::pair(std::move(placed.answer.json), std::move(places));
  });
}

std::string locate(const LocateQuestion& question) {
  return answers::naming_file(question.fabric.file, [&] { return answers::locate(question).json; });
}

void bind_questions(py::module_& module) {
  py::class_<MeasuredSource>(module, "MeasuredSource")
      .def(py::init<>())
      .def_readwrite("coefficients", &MeasuredSource::coefficients)
      .def_readwrite("store", &MeasuredSource::store)
      .def_readwrite("run", &MeasuredSource::run)
      .def_readwrite("order", &MeasuredSource::order)
      .def_readwrite("force", &MeasuredSource::force);
  py::class_<FabricQuestion>(module, "FabricQuestion")
      .def(py::init([](Source fabric, Source workload) {
        FabricQuestion question;
        question.fabric = toml_source(std::move(fabric));
        question.workload = toml_source(std::move(workload));
        return question;
      }))
      .def_readwrite("set", &FabricQuestion::set)
      .def_readwrite("measured", &FabricQuestion::measured)
      .def_readwrite("sharing", &FabricQuestion::sharing)
      .def_readwrite("seeds", &FabricQuestion::seeds)
      .def_readwrite("threads", &FabricQuestion::threads)
      .def_readwrite("journal", &FabricQuestion::journal)
      .def_readwrite("command_line", &FabricQuestion::command_line);
  py::class_<LocateQuestion>(module, "LocateQuestion")
      .def(py::init([](Source fabric) {
        LocateQuestion question;
        question.fabric = toml_source(std::move(fabric));
        return question;
      }))
      .def_readwrite("pairs", &LocateQuestion::pairs)
      .def_readwrite("store", &LocateQuestion::store)
      .def_readwrite("run", &LocateQuestion::run)
      .def_readwrite("cases", &LocateQuestion::cases)
      .def_readwrite("topology", &LocateQuestion::topology)
      .def_readwrite("rule", &LocateQuestion::rule)
      .def_readwrite("ran", &LocateQuestion::ran)
      .def_readwrite("set", &LocateQuestion::set)
      .def_readwrite("hosts_per_machine", &LocateQuestion::hosts_per_machine)
      .def_readwrite("next", &LocateQuestion::next);
}

}  // namespace

void bind_fabric(py::module_& module) {
  bind_questions(module);
  const auto add = [&](const char* name, auto ask) {
    module.def(name, [ask](const FabricQuestion& question) { return json_of(question, ask); }, Unlocked());
  };
  add("fabric_describe", [](const FabricQuestion& of) { return answers::describe(of); });
  add("fabric_expect", [](const FabricQuestion& of) { return answers::expect(of); });
  module.def(
      "fabric_simulate",
      [](const FabricQuestion& question, bool scale) {
        return json_of(question, [&](const FabricQuestion& of) { return answers::simulate(of, scale); });
      },
      Unlocked());
  module.def(
      "fabric_compare",
      [](const FabricQuestion& question, const std::vector<std::string>& vary, const std::string& margin) {
        return json_of(question,
                       [&](const FabricQuestion& of) { return answers::compare(of, vary, margin); });
      },
      Unlocked());
  module.def(
      "fabric_size",
      [](const FabricQuestion& question, const std::string& at_most) {
        return json_of(question, [&](const FabricQuestion& of) { return answers::size(of, at_most); });
      },
      Unlocked());
  module.def("fabric_place", &place, Unlocked());
  module.def("fabric_locate", &locate, Unlocked());
}

}  // namespace assay::python
