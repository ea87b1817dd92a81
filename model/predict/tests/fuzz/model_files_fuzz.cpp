// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An application, execution or system of the model, in both formats, or a line of a batch.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/predict/answer/batch_answers.hpp"
#include "model/predict/read/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using assay::model::Model;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const assay::model::JsonDocument document("model.json: ", text);
    for (const Model model : {Model::calculon, Model::assay}) {
      assay::fuzz::read_or_refuse([&] { assay::model::read_application(document.root(), model); });
      assay::fuzz::read_or_refuse([&] { assay::model::read_execution(document.root(), model); });
      assay::fuzz::read_or_refuse([&] { assay::model::read_system(document.root(), model); });
    }
  });
  std::string answers;
  assay::model::BatchAnswers("batch.jsonl", {}).answer(text, answers);
  return 0;
}
