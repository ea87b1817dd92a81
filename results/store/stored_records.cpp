// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/stored_records.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>

#include "harness/core/text/json_from.hpp"
#include "results/record/json/point_line.hpp"
#include "results/record/json/record_json.hpp"
#include "results/store/several_readers.hpp"

namespace assay::results {
namespace {

/// Goes to the row of that point.
void find_row(const Store& store, std::int64_t point, Statement& query) {
  if (!query.bind(point).step())
    throw std::runtime_error("store " + store.path().string() + ": no point " + std::to_string(point));
}

/// A record as a store keeps it.
PointRecord record_of(std::string_view text) {
  if (auto record = point_of_row(text)) return *std::move(record);
  auto json = core::json_from<nlohmann::ordered_json>(text);
  if (json.contains("work")) json["samples_s"] = nlohmann::ordered_json::array();
  return std::get<PointRecord>(from_json(json));
}

/// A row that is held keeps others from writing.
class EndOfRow {
 public:
  explicit EndOfRow(Statement& row) : row_(row) {}
  ~EndOfRow() { row_.reset(); }
  EndOfRow(const EndOfRow&) = delete;
  EndOfRow& operator=(const EndOfRow&) = delete;

 private:
  Statement& row_;
};

constexpr std::size_t records_in_turn = 256;

}  // namespace

Fields stored_fields(std::string_view json) {
  if (auto fields = fields_of(json)) return *std::move(fields);
  Fields fields;
  const auto object = core::json_from<nlohmann::ordered_json>(json);
  for (const auto& [name, value] : object.items())
    fields.emplace_back(name, scalar_from(value).value_or(Scalar(NAN)));
  return fields;
}

std::vector<double> samples_of(const Store& store, std::int64_t point) {
  Statement query = store.database().prepare("SELECT samples_s FROM points WHERE id = ?");
  find_row(store, point, query);
  return query.numbers(0);
}

RecordReader::RecordReader(const Store& store)
    : store_(store), row_(store.database().prepare("SELECT record FROM points WHERE id = ?")) {}

PointRecord RecordReader::read(std::int64_t point) {
  const EndOfRow end(row_);
  find_row(store_, point, row_);
  return record_of(row_.view(0));
}

Fields conditions_of(const Store& store, std::int64_t point) {
  Statement query =
      store.database().prepare("SELECT json_extract(record, '$.conditions') FROM points WHERE id = ?");
  find_row(store, point, query);
  return query.is_null(0) ? Fields() : stored_fields(query.view(0));
}

std::vector<PointRecord> records_of(const Store& store, const std::vector<std::int64_t>& points) {
  std::vector<PointRecord> records(points.size());
  if (points.empty()) return records;
  records.front() = RecordReader(store).read(points.front());  // from now on the caller's lock holds
  std::atomic<std::size_t> next = 1;
  with_several_readers(store, 1 + points.size() / records_in_turn, [&](const Store& own) {
    RecordReader reader(own);
    for (std::size_t from; (from = next.fetch_add(records_in_turn)) < points.size();)
      for (std::size_t at = from; at < std::min(from + records_in_turn, points.size()); ++at)
        records[at] = reader.read(points[at]);
  });
  return records;
}

}  // namespace assay::results
