// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A prediction for each line of a batch. An application or system that is the one of the line before, to the
// byte, is not read again, and memory is made once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/predict/answer/prediction.hpp"

namespace assay::model {

class BatchAnswers {
 public:
  /// `file` opens the messages.
  BatchAnswers(std::string file, ReadOptions options);

  /// The answer to the next line, {"application": ..., "execution": ..., "system": ...}, and a line feed. A
  /// line that cannot be used has one too, {"message": ..., "status": "rejected"}, so that lines stay
  /// aligned.
  void answer(std::string_view line, std::string& answers);
  /// Answers a line that is not to be read, as rejected.
  void reject(std::string_view why, std::string& answers);

  std::int64_t lines() const { return lines_; }
  std::int64_t rejected() const { return rejected_; }
  /// The message of the first rejected line.
  const std::string& first_message() const { return first_message_; }
  /// Keys that Calculon's model leaves alone: of the first application, and the first system, with such.
  const std::array<std::string, 2>& not_used() const { return not_used_; }
  /// Text for people where keys of the first line choose the model, else nothing.
  const std::string& chosen() const { return chosen_; }

 private:
  void next_line();
  /// Reads the line into current_.
  void read(std::string_view line);
  JsonValue part(std::string_view key) const;
  void read_system_part(const JsonValue& json, JsonMember& kept);
  /// Fills entry `number` of not_used_.
  void note_unused(std::size_t number, const JsonValue& part);
  void append_rejection(std::string_view message, std::string& answers);

  ReadOptions options_;
  JsonDocument document_;
  Configuration current_{.application = {}, .execution = {}, .system = System()};
  std::array<JsonMember, 2> kept_ = {{{.key = "application", .known = {}}, {.key = "system", .known = {}}}};
  PricedTypes priced_for_ = Datatype::float16;
  std::string where_;
  std::size_t file_length_;
  std::int64_t lines_ = 0, rejected_ = 0;
  std::string first_message_, chosen_;
  std::array<std::string, 2> not_used_;  // of the application, of the system
};

}  // namespace assay::model
