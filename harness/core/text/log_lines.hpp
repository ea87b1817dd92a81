// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A program's messages while it works, as lines for people or, after `--log json`, as JSON for a collector of
// logs: one object a line on standard error (results/record/schema/log.schema.json). Results stay on standard
// output.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::core {

/// From here on everything written to std::cerr and to status_stream() is JSON: call it before threads write.
/// `program` is the name in each line.
void log_as_json(std::string_view program);
bool logs_json();

/// For lines about progress: standard output, or the JSON log.
std::ostream& status_stream();

/// Numbers and names of the line that is being written, for the JSON log; a line for people has them in its
/// text: `status_stream() << text << LogFields{{"points", 12}} << "\n"`.
struct LogFields {
  using Value = std::variant<std::int64_t, double, std::string>;
  std::vector<std::pair<std::string_view, Value>> fields;

  LogFields(std::initializer_list<std::pair<std::string_view, Value>> all) : fields(all) {}
};
std::ostream& operator<<(std::ostream& out, const LogFields& fields);

/// One line with its line feed. The level is that of the stream: info, or what a line on standard error
/// begins with: "assay: " and "assay-MODULE: " are errors, all else warnings.
std::string log_line(std::string_view program, bool is_info, std::string_view text,
                     const std::string& fields);

}  // namespace assay::core
