// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a store. Everything `assay show` counts is kept counted at insert, in runs and run_cases, so
// that no standard table has to walk all points.
#pragma once

namespace assay::results {

inline constexpr int store_schema_version = 6;
inline constexpr int store_application_id = 0x61737361;  // "assa", in the file's header

inline constexpr int store_page_bytes = 32768;  // a point takes 1 to 2 KB: many to a page

inline constexpr const char* store_schema = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE runs (id INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, started TEXT NOT NULL,
  ok INTEGER NOT NULL DEFAULT 0, unsupported INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  wrong INTEGER NOT NULL DEFAULT 0, timeout INTEGER NOT NULL DEFAULT 0, digest INTEGER NOT NULL DEFAULT 0);
CREATE INDEX runs_by_time ON runs (started);

-- digest: of all records of the run, whatever order they came in.
-- crc: of the record's line, by which a record that is there is known from another of the same run and number.
CREATE TABLE contexts (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs,
  process INTEGER NOT NULL, module TEXT NOT NULL, started TEXT NOT NULL, host TEXT NOT NULL, origin TEXT NOT NULL,
  assay_version TEXT NOT NULL, source_revision TEXT NOT NULL, plan_name TEXT NOT NULL, resumed INTEGER NOT NULL,
  record TEXT NOT NULL);
CREATE UNIQUE INDEX contexts_of_run ON contexts (run, process);

CREATE TABLE ends (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs,
  process INTEGER NOT NULL, module TEXT NOT NULL, ended TEXT NOT NULL, points INTEGER NOT NULL,
  interrupted INTEGER NOT NULL);
CREATE UNIQUE INDEX ends_of_run ON ends (run, process, crc);

CREATE TABLE cases (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Status as in results/record/record.hpp: 0 ok, 1 unsupported, 2 failed, 3 wrong, 4 timeout.
-- metric, unit, value, lower, upper: the headline. axes: the point as JSON. record: all but samples, as JSON.
-- samples_s, sm_cycles: little-endian doubles in the order taken; NULL where there are none.
CREATE TABLE points (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs,
  process INTEGER NOT NULL, sequence INTEGER NOT NULL, case_id INTEGER NOT NULL REFERENCES cases,
  key TEXT NOT NULL, repetition INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL,
  n INTEGER, time_s REAL, lower_s REAL, upper_s REAL, stop TEXT, drifting INTEGER, work_bytes REAL,
  work_flops REAL, metric TEXT, unit TEXT, value REAL, lower REAL, upper REAL, axes TEXT NOT NULL,
  record TEXT NOT NULL, samples_s BLOB, sm_cycles BLOB);
CREATE INDEX points_in_order ON points (run, process, sequence, case_id, key);
CREATE INDEX points_not_ok ON points (run, process, sequence) WHERE status <> 0;
CREATE INDEX points_cut ON points (run) WHERE stop = 'interrupted' AND status = 0;
CREATE INDEX points_bare ON points (run, process) WHERE status = 0 AND n > 0 AND samples_s IS NULL;

-- Points that an interrupt cut short, or that drifted, and that a resume measured again: evidence, and no measurements.
CREATE TABLE superseded (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs,
  process INTEGER NOT NULL, sequence INTEGER NOT NULL, status INTEGER NOT NULL, record TEXT NOT NULL,
  samples_s BLOB, sm_cycles BLOB);
CREATE UNIQUE INDEX superseded_in_order ON superseded (run, process, sequence);

-- What was wrong with a journal when it was read: damaged lines, a clock that went back. run is NULL where no good
-- line says which run the journal is of. Damage goes when the journal comes whole.
CREATE TABLE doubts (id INTEGER PRIMARY KEY, run INTEGER REFERENCES runs, journal TEXT NOT NULL, line INTEGER NOT NULL,
  damage INTEGER NOT NULL, what TEXT NOT NULL);
CREATE UNIQUE INDEX doubts_once ON doubts (ifnull(run, 0), journal, line, what);

-- Those after the headline, which is in points.
CREATE TABLE more_metrics (point INTEGER NOT NULL REFERENCES points, ordinal INTEGER NOT NULL, name TEXT NOT NULL,
  unit TEXT NOT NULL, value REAL, lower REAL, upper REAL, PRIMARY KEY (point, ordinal)) WITHOUT ROWID;

CREATE TABLE run_cases (run INTEGER NOT NULL REFERENCES runs, case_id INTEGER NOT NULL REFERENCES cases,
  ok INTEGER NOT NULL DEFAULT 0, unsupported INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  wrong INTEGER NOT NULL DEFAULT 0, timeout INTEGER NOT NULL DEFAULT 0, metric TEXT, unit TEXT,
  lowest REAL, lowest_point INTEGER, highest REAL, highest_point INTEGER,
  PRIMARY KEY (run, case_id)) WITHOUT ROWID;

-- Where a case's points are: ids in a row, of one run and case. Where cases took turns, these are many.
CREATE TABLE case_ranges (run INTEGER NOT NULL REFERENCES runs, case_id INTEGER NOT NULL REFERENCES cases,
  first_point INTEGER NOT NULL, last_point INTEGER NOT NULL, PRIMARY KEY (run, case_id, first_point)) WITHOUT ROWID;
)sql";

}  // namespace assay::results
