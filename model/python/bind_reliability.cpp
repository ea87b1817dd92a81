// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.reliability.
#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/reliability_answer.hpp"
#include "model/python/binding.hpp"

namespace assay::python {
namespace {

std::string reliability(const answers::ReliabilityQuestion& question) {
  answers::refuse_lonely(question);
  return core::json_text(answers::job_answer(question, answers::rates_of(question)).json);
}

}  // namespace

void bind_reliability(pybind11::module_& module) {
  using Question = answers::ReliabilityQuestion;
  pybind11::class_<Question>(module, "ReliabilityQuestion")
      .def(pybind11::init<>())
      .def_readwrite("rates", &Question::rates)
      .def_readwrite("rates_toml", &Question::rates_toml)
      .def_readwrite("mean_time", &Question::mean_time)
      .def_readwrite("interval", &Question::interval)
      .def_readwrite("stall", &Question::stall)
      .def_readwrite("write", &Question::write)
      .def_readwrite("detect", &Question::detect)
      .def_readwrite("diagnose", &Question::diagnose)
      .def_readwrite("recovery", &Question::recovery)
      .def_readwrite("repair", &Question::repair)
      .def_readwrite("service", &Question::service)
      .def_readwrite("checkpoint", &Question::checkpoint)
      .def_readwrite("spread_store", &Question::spread_store)
      .def_readwrite("run", &Question::run)
      .def_readwrite("state", &Question::state)
      .def_readwrite("ingest", &Question::ingest)
      .def_readwrite("logs", &Question::logs)
      .def_readwrite("front_end_gbit_per_s", &Question::front_end_gbit_per_s)
      .def_readwrite("gpus", &Question::gpus)
      .def_readwrite("probability", &Question::probability)
      .def_readwrite("spread", &Question::spread)
      .def_readwrite("slower", &Question::slower)
      .def_readwrite("run_days", &Question::run_days)
      .def_readwrite("probe_hours", &Question::probe_hours);
  module.def("reliability", &reliability, Unlocked());
}

}  // namespace assay::python
