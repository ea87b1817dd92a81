// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in reads with fgets, strtok, strtoull and atoi; so does this, and says where they make something
// else of it.
#include "collectives/tuner/tuner_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>

#include "collectives/tuner/tuner_words.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t longest_piece = 255;  // of one fgets into 256 bytes
constexpr std::size_t fewest_fields = 8, most_fields = 10;
constexpr const char* blanks = " \t";

/// The result of one fgets.
struct Piece {
  std::size_t line;
  std::string text;
};

std::vector<Piece> pieces_of(const std::string& text, std::vector<TunerFault>& faults) {
  std::vector<Piece> pieces;
  std::size_t line = 1;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    if (end - first > longest_piece)
      faults.push_back(
          {line, fmt::format("{} characters: the plug-in reads {} and takes the rest for a line of its own",
                             end - first, longest_piece)});
    for (std::size_t at = first; at < end; at += longest_piece)
      pieces.push_back({line, text.substr(at, std::min(longest_piece, end - at))});
    first = end + 1;
    ++line;
  }
  return pieces;
}

/// Commas next to one another count as one, as for strtok.
std::vector<std::string> fields_of(const std::string& text) {
  std::vector<std::string> fields;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    std::string field = text.substr(first, end - first);
    first = end + 1;
    if (field.empty()) continue;
    field.erase(0, std::min(field.find_first_not_of(blanks), field.size()));
    field.erase(field.find_last_not_of(blanks) + 1);
    fields.push_back(field);
  }
  return fields;
}

bool has_empty_field(const std::string& text) {
  return text.find(",,") != std::string::npos || text.starts_with(',') || text.ends_with(',');
}

/// Digits, perhaps after a minus; the end of a line may bring a carriage return along.
bool is_whole_number(std::string_view text, bool may_be_negative) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (may_be_negative && text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

class RowReader {
 public:
  RowReader(std::size_t line, std::vector<TunerFault>& faults) : line_(line), faults_(faults) {}

  void fault(std::string what) { faults_.push_back({line_, std::move(what)}); }

  std::string word(const std::string& field, std::span<const std::string_view> known,
                   std::string_view otherwise) {
    if (std::ranges::find(known, field) != known.end()) return field;
    fault(fmt::format("'{}': the plug-in does not know it and takes it for {}", field, otherwise));
    return std::string(otherwise);
  }
  std::uint64_t bytes(const std::string& field) {
    const std::uint64_t read = std::strtoull(field.c_str(), nullptr, 10);
    if (!is_whole_number(field, false)) fault(fmt::format("'{}' bytes: the plug-in reads {}", field, read));
    return read;
  }
  int number(const std::string& field, const char* name) {
    const long long read = std::strtoll(field.c_str(), nullptr, 10);
    const int kept = static_cast<int>(read);  // what atoi makes of it on Linux
    if (!is_whole_number(field, true) || kept != read)
      fault(fmt::format("{} '{}': the plug-in reads {}", name, field, kept));
    return kept;
  }

 private:
  std::size_t line_;
  std::vector<TunerFault>& faults_;
};

TunerRow row_of(const Piece& piece, const std::vector<std::string>& fields, RowReader& read) {
  TunerRow row{.line = piece.line, .collective = {}, .algorithm = {}, .protocol = {}};
  row.collective = read.word(fields[0], tuner_collectives, unknown_collective);
  row.min_bytes = read.bytes(fields[1]);
  row.max_bytes = read.bytes(fields[2]);
  row.algorithm = read.word(fields[3], tuner_algorithms, unknown_algorithm);
  row.protocol = read.word(fields[4], tuner_protocols, unknown_protocol);
  row.channels = read.number(fields[5], "channels");
  row.nodes = read.number(fields[6], "nNodes");
  row.ranks = read.number(fields[7], "nRanks");
  if (fields.size() > 8) row.pipe_ops = read.number(fields[8], "numPipeOps");
  if (fields.size() > 9) row.registered = read.number(fields[9], "regBuff");
  return row;
}

}  // namespace

TunerFile read_tuner_csv(const std::string& text) {
  TunerFile file;
  for (const Piece& piece : pieces_of(text, file.faults)) {
    if (piece.text.empty() || piece.text.front() == '#') continue;
    std::vector<std::string> fields = fields_of(piece.text);
    const std::string_view start = fields.empty() ? std::string_view() : fields.front();
    if (fields.size() < fewest_fields && (start.empty() || start == "\r" || start.front() == '#')) continue;
    RowReader read(piece.line, file.faults);
    if (has_empty_field(piece.text))
      read.fault("an empty field: the plug-in passes over it, later ones move up");
    if (fields.size() < fewest_fields) {
      read.fault(fmt::format("{} fields, at least {} expected: the plug-in drops the line", fields.size(),
                             fewest_fields));
      continue;
    }
    if (fields.size() > most_fields) {
      read.fault(fmt::format("{} fields, at most {} expected: the plug-in drops the rest", fields.size(),
                             most_fields));
      fields.resize(most_fields);
    }
    file.rows.push_back(row_of(piece, fields, read));
  }
  return file;
}

bool matches(const TunerRow& row, const TunerQuestion& question) {
  const auto is = [](int said, int asked) { return said == -1 || said == asked; };
  return row.collective == question.collective && row.min_bytes <= question.bytes &&
         question.bytes <= row.max_bytes && is(row.nodes, question.nodes) && is(row.ranks, question.ranks) &&
         is(row.pipe_ops, question.pipe_ops) && is(row.registered, question.registered);
}

const TunerRow* applied_row(const std::vector<TunerRow>& rows, const TunerQuestion& question) {
  const auto found = std::ranges::find_if(rows, [&](const TunerRow& row) {
    return matches(row, question) &&
           why_nccl_never_runs({row.collective, row.algorithm, row.protocol, question.nodes, question.ranks})
               .empty();
  });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace assay::collectives
