// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/incoming_points.hpp"

#include <sqlite3.h>

#include <concepts>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::results {
namespace {

constexpr const char* incoming_table = "incoming_points";

void give(sqlite3_context* column, std::integral auto value) { sqlite3_result_int64(column, value); }
void give(sqlite3_context* column, Status status) { give(column, static_cast<int>(status)); }
/// NaN becomes NULL.
void give(sqlite3_context* column, double value) { sqlite3_result_double(column, value); }
void give(sqlite3_context* column, const std::optional<double>& value) {
  if (value) give(column, *value);
}
void give(sqlite3_context* column, std::string_view text) {
  sqlite3_result_text(column, text.data() ? text.data() : "", static_cast<int>(text.size()), SQLITE_STATIC);
}
void give(sqlite3_context* column, FieldsText fields) { give(column, fields.json); }
/// None become NULL.
void give(sqlite3_context* column, std::span<const double> values) {
  if (!values.empty()) sqlite3_result_blob64(column, values.data(), values.size_bytes(), SQLITE_STATIC);
}

using Give = void(sqlite3_context*, const IncomingPoint&);

template <auto member>
void give_own(sqlite3_context* column, const IncomingPoint& point) {
  give(column, point.*member);
}

template <auto member>
void give_of_row(sqlite3_context* column, const IncomingPoint& point) {
  give(column, point.row->*member);
}

/// Without a time, n is 0 and the rest NULL.
template <auto member>
void give_of_time(sqlite3_context* column, const IncomingPoint& point) {
  if (point.row->time) return give(column, *point.row->time.*member);
  if constexpr (std::same_as<decltype(member), std::int64_t TimeRow::*>) give(column, 0);
}

/// Gives a value of the first metric; without one, texts are empty and numbers NULL.
template <auto member>
void give_headline(sqlite3_context* column, const IncomingPoint& point) {
  if (!point.row->metrics.empty()) return give(column, point.row->metrics.front().*member);
  if constexpr (std::same_as<decltype(member), std::string_view MetricRow::*>) give(column, "");
}

struct IncomingColumn {
  const char* name;  // of the table of points too
  Give* give;
};
constexpr IncomingColumn incoming_columns[] = {
    {"crc", give_of_row<&PointRow::crc>},
    {"run", give_own<&IncomingPoint::run>},
    {"process", give_of_row<&PointRow::process>},
    {"sequence", give_of_row<&PointRow::sequence>},
    {"case_id", give_own<&IncomingPoint::case_id>},
    {"key", give_of_row<&PointRow::key>},
    {"repetition", give_of_row<&PointRow::repetition>},
    {"status", give_of_row<&PointRow::status>},
    {"reason", give_of_row<&PointRow::reason>},
    {"n", give_of_time<&TimeRow::n>},
    {"time_s", give_of_time<&TimeRow::value_s>},
    {"lower_s", give_of_time<&TimeRow::lower_s>},
    {"upper_s", give_of_time<&TimeRow::upper_s>},
    {"stop", give_of_row<&PointRow::stop>},
    {"drifting", give_of_row<&PointRow::drifting>},
    {"work_bytes", give_of_row<&PointRow::work_bytes>},
    {"work_flops", give_of_row<&PointRow::work_flops>},
    {"metric", give_headline<&MetricRow::name>},
    {"unit", give_headline<&MetricRow::unit>},
    {"value", give_headline<&MetricRow::value>},
    {"lower", give_headline<&MetricRow::lower>},
    {"upper", give_headline<&MetricRow::upper>},
    {"axes", give_of_row<&PointRow::point>},
    {"record", give_of_row<&PointRow::record>},
    {"samples_s", give_of_row<&PointRow::samples_s>},
    {"sm_cycles", give_of_row<&PointRow::sm_cycles>},
};

std::string names_of_columns() {
  std::string names;
  for (const IncomingColumn& column : incoming_columns)
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  return names;
}

/// The table, and a walk over it, as SQLite holds them.
struct RowsTable {
  sqlite3_vtab base;
  const std::vector<IncomingPoint>* rows;
};
struct RowsCursor {
  sqlite3_vtab_cursor base;
  std::size_t at;
};
RowsCursor& walk(sqlite3_vtab_cursor* cursor) { return *reinterpret_cast<RowsCursor*>(cursor); }
const std::vector<IncomingPoint>& rows_of(sqlite3_vtab_cursor* cursor) {
  return *reinterpret_cast<RowsTable*>(cursor->pVtab)->rows;
}

int connect_rows(sqlite3* connection, void* rows, int, const char* const*, sqlite3_vtab** table, char**) {
  *table = &(new RowsTable{{}, static_cast<const std::vector<IncomingPoint>*>(rows)})->base;
  return sqlite3_declare_vtab(connection, ("CREATE TABLE incoming (" + names_of_columns() + ")").c_str());
}

int disconnect_rows(sqlite3_vtab* table) {
  delete reinterpret_cast<RowsTable*>(table);
  return SQLITE_OK;
}

int open_walk(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  *cursor = &(new RowsCursor{})->base;
  return SQLITE_OK;
}

int close_walk(sqlite3_vtab_cursor* cursor) {
  delete &walk(cursor);
  return SQLITE_OK;
}

int begin_walk(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  walk(cursor).at = 0;
  return SQLITE_OK;
}

int go_on(sqlite3_vtab_cursor* cursor) {
  ++walk(cursor).at;
  return SQLITE_OK;
}

int is_at_end(sqlite3_vtab_cursor* cursor) { return walk(cursor).at >= rows_of(cursor).size() ? 1 : 0; }

int give_column(sqlite3_vtab_cursor* cursor, sqlite3_context* column, int number) {
  incoming_columns[number].give(column, rows_of(cursor)[walk(cursor).at]);
  return SQLITE_OK;
}

int give_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = static_cast<sqlite3_int64>(walk(cursor).at);
  return SQLITE_OK;
}

/// Read from the first to the last, whatever is asked.
int choose_plan(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

/// Without xCreate: the table is there under the module's name.
const sqlite3_module rows_module = [] {
  sqlite3_module module{};
  module.xConnect = connect_rows;
  module.xBestIndex = choose_plan;
  module.xDisconnect = disconnect_rows;
  module.xOpen = open_walk;
  module.xClose = close_walk;
  module.xFilter = begin_walk;
  module.xNext = go_on;
  module.xEof = is_at_end;
  module.xColumn = give_column;
  module.xRowid = give_number;
  return module;
}();

std::string insert_incoming() {
  return "INSERT INTO points (" + names_of_columns() + ") SELECT " + names_of_columns() + " FROM " +
         incoming_table;
}

}  // namespace

IncomingPoints::Table::Table(Database& database, Rows& rows) : database_(database) {
  if (sqlite3_create_module_v2(database.connection(), incoming_table, &rows_module, &rows, nullptr) !=
      SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database.connection()));
}

IncomingPoints::Table::~Table() {
  sqlite3_create_module_v2(database_.connection(), incoming_table, nullptr, nullptr, nullptr);
}

IncomingPoints::IncomingPoints(Database& database)
    : database_(database),
      last_id_(database.single_integer("SELECT max(id) FROM points")),
      table_(database, rows_),
      insert_(database.prepare(insert_incoming())) {}

std::int64_t IncomingPoints::add(const PointRow& row, std::int64_t run, std::int64_t case_id) {
  rows_.push_back({&row, run, case_id});
  return last_id_ + std::ssize(rows_);
}

void IncomingPoints::insert() {
  if (rows_.empty()) return;
  insert_.run();
  last_id_ += std::ssize(rows_);
  rows_.clear();
  // SQLite gives a row the next id up to the last of 64 bits, and then any.
  if (database_.last_id() != last_id_) throw std::runtime_error("the ids of points are used up");
}

}  // namespace assay::results
