// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An application, execution or system of the model, in both formats.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using assay::model::Model;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const nlohmann::json json = assay::model::json_from(text, "model.json");
    for (const Model model : {Model::calculon, Model::assay}) {
      assay::fuzz::read_or_refuse([&] { assay::model::read_application(json, "application.json", model); });
      assay::fuzz::read_or_refuse([&] { assay::model::read_execution(json, "execution.json", model); });
      assay::fuzz::read_or_refuse([&] { assay::model::read_system(json, "system.json", model); });
    }
  });
  return 0;
}
