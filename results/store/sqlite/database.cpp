// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/sqlite/database.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "results/store/sqlite/page_checksums.hpp"

namespace assay::results {

namespace {

// Lookaside memory of a connection: what a running statement takes and gives back, a whole point too.
constexpr int scratch_bytes = 8192, scratch_buffers = 64;

[[noreturn]] void fail(sqlite3* database, int code) {
  if ((code & 0xff) == SQLITE_BUSY)
    throw DatabaseBusy("another process is writing to it and has not ended in time: try again when it has");
  const char* const path = sqlite3_db_filename(database, "main");
  if (sqlite3_extended_errcode(database) == SQLITE_IOERR_DATA)
    throw DamagedStore((path ? path + std::string(": ") : "") + damaged_page() +
                       " does not match its checksum: import the journals into a new store");
  const std::string what = sqlite3_errmsg(database);
  throw std::runtime_error((code & 0xff) == SQLITE_CORRUPT && path ? path + (": " + what) : what);
}

void roll_back(const Database& database) {
  try {
    database.prepare("ROLLBACK").run();
  } catch (const std::runtime_error&) {
    // SQLite has rolled back by itself (full disk, I/O error).
  }
}

}  // namespace

Statement::Statement(sqlite3* database, const std::string& sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  require(sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr));
  statement_.reset(statement);
}

void Statement::require(int code) const {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) fail(database_, code);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  require(code);
  return code == SQLITE_ROW;
}

void Statement::put(int position, std::int64_t value) {
  require(sqlite3_bind_int64(statement_.get(), position, value));
}
// SQLite stores NaN as NULL.
void Statement::put(int position, double value) {
  require(sqlite3_bind_double(statement_.get(), position, value));
}
void Statement::put(int position, const std::optional<double>& value) {
  put(position, value.value_or(std::numeric_limits<double>::quiet_NaN()));
}
void Statement::put(int position, const std::optional<std::int64_t>& value) {
  if (value) return put(position, *value);
  require(sqlite3_bind_null(statement_.get(), position));
}
void Statement::put(int position, std::string_view value) {
  require(sqlite3_bind_text(statement_.get(), position, value.data() ? value.data() : "",
                            static_cast<int>(value.size()), SQLITE_STATIC));
}
void Statement::put(int position, const std::string& value) {
  require(sqlite3_bind_text(statement_.get(), position, value.data(), static_cast<int>(value.size()),
                            SQLITE_TRANSIENT));
}
void Statement::put(int position, std::span<const double> values) {
  const void* const bytes = values.empty() ? nullptr : values.data();  // NULL
  require(sqlite3_bind_blob64(statement_.get(), position, bytes, values.size_bytes(), SQLITE_STATIC));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::number(int column) const {
  const double value = sqlite3_column_double(statement_.get(), column);  // 0 of a NULL
  return value == 0 && is_null(column) ? std::numeric_limits<double>::quiet_NaN() : value;
}
std::optional<double> Statement::optional_number(int column) const {
  const double value = sqlite3_column_double(statement_.get(), column);
  return value == 0 && is_null(column) ? std::nullopt : std::optional(value);
}
std::string_view Statement::view(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text ? std::string_view(text,
                                 static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
              : std::string_view();
}
std::string Statement::text(int column) const { return std::string(view(column)); }
std::vector<double> Statement::numbers(int column) const {
  std::vector<double> values;
  numbers(column, values);
  return values;
}
void Statement::numbers(int column, std::vector<double>& values) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  values.resize(size / sizeof(double));
  if (bytes && !values.empty()) std::memcpy(values.data(), bytes, values.size() * sizeof(double));
}

Database::Database(const std::filesystem::path& path, bool create, std::chrono::milliseconds patience) {
  // No one asks how much memory SQLite has, which it counts under a lock.
  [[maybe_unused]] static const int uncounted = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3* connection = nullptr;
  // Without locks around each call: a connection is used by one thread at a time.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, checked_files());
  connection_.reset(connection);
  if (code != SQLITE_OK) throw std::runtime_error(connection ? sqlite3_errmsg(connection) : "out of memory");
  sqlite3_db_config(connection, SQLITE_DBCONFIG_LOOKASIDE, nullptr, scratch_bytes, scratch_buffers);
  sqlite3_busy_timeout(connection, static_cast<int>(patience.count()));
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(connection_.get(), code);
}

Transaction::~Transaction() {
  if (!committed_) roll_back(database_);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  committed_ = true;
}

ReadTransaction::ReadTransaction(const Database& database)
    : database_(database), is_first_(sqlite3_get_autocommit(database.connection()) != 0) {
  if (is_first_) database_.prepare("BEGIN").run();
}

ReadTransaction::~ReadTransaction() {
  if (is_first_) roll_back(database_);
}

}  // namespace assay::results
