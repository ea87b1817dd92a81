// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/batch_answers.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/json/append_json.hpp"
#include "model/json/json_keys.hpp"

namespace assay::model {

BatchAnswers::BatchAnswers(std::string file, ReadOptions options)
    : options_(std::move(options)), document_(""), where_(std::move(file)), file_length_(where_.size()) {}

void BatchAnswers::next_line() {
  where_.resize(file_length_);
  fmt::format_to(std::back_inserter(where_), ":{}: ", ++lines_);
}

Configuration BatchAnswers::read(std::string_view line) {
  document_.read(where_, line);
  const JsonValue root = document_.root();
  const auto part = [&](std::string_view key) {
    const JsonValue found = root.find(key);
    if (!found.found())
      core::usage_error(
          fmt::format("{}expected an object with application, execution and system", document_.place_of(0)));
    return found;
  };
  return read_configuration(part("application"), part("execution"), part("system"), options_);
}

void BatchAnswers::answer(std::string_view line, std::string& answers) {
  next_line();
  const std::size_t begin = answers.size();
  try {
    const Configuration configuration = read(line);
    append_json(answers, configuration, predict(configuration));
    answers += '\n';
  } catch (const std::exception& error) {  // whatever it is, the other lines have their answers
    answers.resize(begin);
    append_rejection(error.what(), answers);
  }
}

void BatchAnswers::reject(std::string_view why, std::string& answers) {
  next_line();
  append_rejection(fmt::format("{}{}", core::printable(where_, 600), why), answers);
}

void BatchAnswers::append_rejection(std::string_view message, std::string& answers) {
  const std::string shown = core::printable_message(message);
  if (rejected_++ == 0) first_message_ = shown;
  answers += R"({"message":)";
  append_json(answers, shown);
  answers += ",\"status\":\"rejected\"}\n";
}

}  // namespace assay::model
