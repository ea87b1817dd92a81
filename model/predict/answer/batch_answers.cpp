// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/batch_answers.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "model/json/append_json.hpp"
#include "model/json/json_keys.hpp"
#include "model/predict/read/unused_keys.hpp"

namespace assay::model {

BatchAnswers::BatchAnswers(std::string file, ReadOptions options)
    : options_(std::move(options)), document_(""), where_(std::move(file)), file_length_(where_.size()) {
  current_.model = options_.model;
}

void BatchAnswers::next_line() {
  where_.resize(file_length_);
  fmt::format_to(std::back_inserter(where_), ":{}: ", ++lines_);
}

JsonValue BatchAnswers::part(std::string_view key) const {
  const JsonValue found = document_.root().find(key);
  if (!found.found())
    core::usage_error(
        fmt::format("{}expected an object with application, execution and system", document_.place_of(0)));
  return found;
}

void BatchAnswers::read(std::string_view line) {
  auto& [application, system] = kept_;
  application.is_known = system.is_known = false;
  document_.read(where_, line, kept_);
  const JsonValue what = part("application"), how = part("execution"), where = part("system");
  if (lines_ == 1) {
    chosen_ = choose_by_keys(what, how, where, options_);
    current_.model = options_.model;
  }
  if (!application.is_known) {
    application.known.clear();
    current_.application = read_application(what, options_.model, options_.sequence);
    note_unused(0, what);
    application.known = application.text;
  }
  current_.execution = read_execution(how, options_.model);
  const bool priced = current_.model == Model::calculon || priced_for_ == current_.execution.priced_types();
  if (system.is_known && !priced) {  // measured times are those of a datatype
    system.known.clear();
    return read(line);
  }
  if (!system.is_known) read_system_part(where, system);
  place_context(how, current_.system, current_.execution);
  require_fit(current_.application, current_.execution, current_.system, {what, how, where});
}

void BatchAnswers::read_system_part(const JsonValue& json, JsonMember& kept) {
  kept.known.clear();
  PricedSystem priced = read_priced_system(json, options_, current_.execution.priced_types());
  current_.system = std::move(priced.system);
  current_.coefficients = std::move(priced.coefficients);
  priced_for_ = current_.execution.priced_types();
  note_unused(1, json);
  kept.known = kept.text;
}

void BatchAnswers::note_unused(std::size_t number, const JsonValue& part) {
  if (current_.model != Model::calculon || !not_used_[number].empty()) return;
  const std::string place = document_.where() + (number == 0 ? "application" : "system");
  not_used_[number] =
      number == 0 ? unused_keys_of_application(part, place) : unused_keys_of_system(part, place);
}

void BatchAnswers::answer(std::string_view line, std::string& answers) {
  next_line();
  const std::size_t begin = answers.size();
  try {
    read(line);
    append_json(answers, current_, predict(current_));
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
