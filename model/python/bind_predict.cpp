// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.predict and assay.search.
#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/predict_answer.hpp"
#include "harness/front/answers/search_answer.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

model::JsonSource json_source(Source source) { return {std::move(source.first), std::move(source.second)}; }

Answer predict(Source application, Source system, Source execution, const answers::ModelChoice& choice) {
  answers::PredictQuestion question;
  static_cast<answers::ModelChoice&>(question) = choice;
  question.application = json_source(std::move(application));
  question.system = json_source(std::move(system));
  question.execution = json_source(std::move(execution));
  answers::PredictAnswer answer = answers::predict(question);
  return {core::json_text(answers::to_json(answer)), std::move(answer.warnings)};
}

Answer search(const answers::SearchQuestion& question) {
  answers::SearchAnswer answer = answers::search(question);
  return {core::json_text(answers::to_json(question, answer)), std::move(answer.warnings)};
}

}  // namespace

void bind_predict(pybind11::module_& module) {
  using Choice = answers::ModelChoice;
  using Question = answers::SearchQuestion;
  pybind11::class_<Choice>(module, "ModelChoice")
      .def(pybind11::init<>())
      .def_readwrite("model", &Choice::model)
      .def_readwrite("coefficients", &Choice::coefficients)
      .def_readwrite("coefficients_dtype", &Choice::coefficients_dtype);
  pybind11::class_<Question, Choice>(module, "SearchQuestion")
      .def(pybind11::init([](Source application, Source system) {
        Question question;
        question.application = json_source(std::move(application));
        question.system = json_source(std::move(system));
        return question;
      }))
      .def_readwrite("datatype", &Question::datatype)
      .def_readwrite("fused", &Question::fused)
      .def_readwrite("fused_attention", &Question::fused_attention)
      .def_readwrite("settings", &Question::settings)
      .def_readwrite("processors", &Question::processors)
      .def_readwrite("max_batch", &Question::max_batch)
      .def_readwrite("threads", &Question::threads)
      .def_readwrite("at_most", &Question::at_most)
      .def_readwrite("at_least", &Question::at_least)
      .def_readwrite("top", &Question::top)
      .def_readwrite("plus_minus", &Question::plus_minus)
      .def_readwrite("pareto", &Question::pareto)
      .def_readwrite("sensitivity", &Question::sensitivity);
  module.def("predict", &predict, Unlocked());
  module.def("search", &search, Unlocked());
  module.def("count_space", &answers::count_space, Unlocked());
}

}  // namespace assay::python
