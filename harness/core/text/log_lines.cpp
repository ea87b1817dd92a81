// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/log_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <streambuf>

#include "harness/core/calendar.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/printable.hpp"

namespace assay::core {
namespace {

/// printable_message() leaves no control character.
std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char byte : printable_message(text)) {
    if (byte == '"' || byte == '\\') all += '\\';
    all += byte;
  }
  return all + "\"";
}

std::string json_of(const LogFields::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  const double number = std::get<double>(value);
  return std::isfinite(number) ? fmt::format("{}", number) : "null";
}

/// Puts each whole line on standard error as one write, so that lines of several processes do not mix.
class JsonLines final : public std::streambuf {
 public:
  JsonLines(std::string program, bool is_info) : program_(std::move(program)), is_info_(is_info) {}

  void add(const LogFields& more) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, value] : more.fields)
      fields_ += fmt::format("{}{}:{}", fields_.empty() ? "" : ",", in_quotes(name), json_of(value));
  }
  /// Ends a last line that did not end with a line feed.
  void finish() {
    const std::scoped_lock lock(mutex_);
    if (!text_.empty()) end_line();
  }

 protected:
  int_type overflow(int_type byte) override {
    const char one = traits_type::to_char_type(byte);
    xsputn(&one, 1);
    return byte;
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    const std::scoped_lock lock(mutex_);
    for (const char byte : std::string_view(bytes, static_cast<std::size_t>(count))) {
      if (byte == '\n')
        end_line();
      else
        text_ += byte;
    }
    return count;
  }

 private:
  void end_line() {
    // A module behind a launcher writes JSON of its own; empty lines separate paragraphs for people.
    const bool is_json = text_.starts_with("{\"time\":") && text_.ends_with('}');
    if (is_json || !text_.empty())
      static_cast<void>(
          write_bytes(STDERR_FILENO, is_json ? text_ + "\n" : log_line(program_, is_info_, text_, fields_)));
    text_.clear();
    fields_.clear();
  }

  std::string program_;
  bool is_info_;
  std::mutex mutex_;
  std::string text_, fields_;
};

struct JsonLog {
  explicit JsonLog(const std::string& program) : info(program, true), other(program, false), status(&info) {}
  JsonLines info, other;
  std::ostream status;
};

JsonLog* json_log = nullptr;  // never deleted: std::cerr may be used until the process has ended

}  // namespace

std::string log_line(std::string_view program, bool is_info, std::string_view text,
                     const std::string& fields) {
  constexpr std::string_view warning = "warning: ";
  std::string_view level = is_info ? "info" : "warning";
  if (text.starts_with(warning))
    text.remove_prefix(warning.size());
  else if (!is_info && text.starts_with("assay") && text.find(": ") < text.find(' '))
    level = "error";
  return fmt::format("{{\"time\":\"{}\",\"level\":\"{}\",\"program\":{},\"message\":{},\"fields\":{{{}}}}}\n",
                     iso_time_now(), level, in_quotes(program), in_quotes(text), fields);
}

void log_as_json(std::string_view program) {
  if (json_log != nullptr) return;
  json_log = new JsonLog(std::string(program));
  std::cerr.rdbuf(&json_log->other);
  std::atexit([] {
    json_log->info.finish();
    json_log->other.finish();
  });
}

bool logs_json() { return json_log != nullptr; }

std::ostream& status_stream() { return json_log == nullptr ? std::cout : json_log->status; }

std::ostream& operator<<(std::ostream& out, const LogFields& fields) {
  if (auto* const lines = dynamic_cast<JsonLines*>(out.rdbuf())) lines->add(fields);
  return out;
}

}  // namespace assay::core
