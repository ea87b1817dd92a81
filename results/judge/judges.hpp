// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The list of judges, and the evidence that they are given. Accept, bundle, replay and diff ask all of them,
// in this order. A judge declares what it reads besides the records: the commands have a flag for each input,
// and a bundle holds what was given.
//
// A judge is a source judges/NAME.cpp with a function `Judge NAME_judge()`, and its name in
// results/CMakeLists.txt.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/links/slow_elements.hpp"
#include "results/judge/series/compared_runs.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/doubts/run_doubts.hpp"
#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct JudgeInput {
  enum class Kind {
    limit_files,  // what limits the records
    data_files,   // what was measured or found besides the records
    share,        // "3%" or "0.03"
  };
  Kind kind;
  std::string_view name;            // in Evidence, and in a bundle of its files or the share
  std::string_view flag;            // "--limits"
  std::string_view about;           // for --help
  std::string_view called = {};     // where two bundles differ: "the limits files"
  std::string_view otherwise = {};  // of a share, where the flag is not given; "": none
  bool only_one = false;            // file
  bool tagged = false;              // "KIND=FILE" (tagged_name)
};

/// How the records are judged, files aside.
struct JudgeOrder {
  bool accept = true;  // the units of the fleet are compared with each other
  std::string filter = {};
  FleetRules rules = {};
  std::vector<ComparisonRequest> comparisons = {};
  std::map<std::string, double, std::less<>> shares = {};  // of other judges, by input

  bool operator==(const JudgeOrder&) const = default;
};

/// A time that was measured, and what a model expects of it.
struct ExpectedTime {
  std::string unit, kind, metric;  // "h3/gpu2", "gpu", "gemm.cuda.matmul/m=8192,..."
  std::string run;
  std::string origin = "measured";  // or what the time is else
  std::string what;                 // as the model names it
  Number measured_us = {};          // with its interval
  std::optional<double> expected_us = {};
  std::string why_not = {};  // judged, though there is an expectation
};

struct ExpectedTimes {
  std::vector<ExpectedTime> times;
  std::size_t together = 0;  // points left out: measured in a burn-in's rounds together
};

/// Predicts the points of a store that match the filter by the file of coefficients of this name.
using Foretell = std::function<ExpectedTimes(const Store& store, const std::string& filter,
                                             const std::string& coefficients)>;

/// The times that collectives and rdma patterns of a store that match the filter should take on this fabric.
/// Throws a usage Error for a file that cannot be read, and runs whose ranks are not on the fabric.
using ExpectOfFabric =
    std::function<ExpectedTimes(const Store& store, const std::string& filter, const EvidenceFile& fabric)>;

/// Whoever asks the judges brings these: models lie above results.
struct Models {
  Foretell foretell = {};
  LocateSlow locate = {};
  ExpectOfFabric expect = {};
};

/// Records, what was asked of them, and files of the user by the input that they are for.
struct Evidence {
  const Store& store;
  JudgeOrder order = {};
  std::map<std::string, std::vector<EvidenceFile>, std::less<>> files = {};  // by input
  std::vector<RunDoubt> damage = {};  // of the journals that the records come from, unknown to the store
  Models models = {};

  /// The files given for this input; empty without any.
  std::span<const EvidenceFile> files_of(std::string_view input) const;
  /// The share given for this input; nothing without it.
  std::optional<double> share_of(std::string_view input) const;
};

/// The judgement of one judge, for programs and for people.
struct Judged {
  Verdicts verdicts;
  std::optional<Table> table = {};  // none: of what does not pass
  bool only_notes = false;          // it judged nothing, and need not
};

/// The table for people; it lasts on its own.
LongTable table_of(const Judged& judged);

struct Judge {
  std::string_view name;
  std::vector<JudgeInput> inputs;
  /// Nothing where it was not asked, or has no doubt. Throws std::runtime_error with one line for records,
  /// and a usage Error for files, that cannot be judged.
  std::vector<Judged> (*judge)(const Evidence& evidence);
  bool reads_only_the_store = false;  // so that it can be asked at the same time as others
};

/// Generated from the names in results/CMakeLists.txt.
const std::vector<Judge>& judges();

enum class Unjudgeable {
  throws,  // the std::runtime_error of a judge ends all
  is_open  // it is an INCONCLUSIVE row, and the other judges are asked
};

/// Asks every judge.
std::vector<Judged> ask_judges(const Evidence& evidence, Unjudgeable unjudgeable);

/// Adds the judgement of one judge to the whole.
void append(Verdicts& whole, Judged part);

/// Whether limits were given, and each point that is judged has one: then units need no equals.
bool limits_judge_every_point(const Evidence& evidence);

/// `what` is INCONCLUSIVE, because it cannot be judged.
Judged open_judgement(const std::string& what, const std::string& because);

/// An INCONCLUSIVE row for each doubt about these runs (run_doubts.hpp), or about all where there are none.
/// No row where all is sound. `more` are doubts that the store does not know of.
Verdicts judge_store(const Store& store, const std::string& command, std::span<const std::string> runs = {},
                     std::span<const RunDoubt> more = {});

/// The texts of rows of expectations; by default, those for coefficients.
struct ExpectationWords {
  std::string limit = {};  // where the limit comes from; empty: the source and its margin
  std::string slower = "slower than the calibrated machine, or coefficients of another one";
  std::string faster =
      "faster than expected by more than the margin: the coefficients may be of another machine";
  std::optional<Action> if_slower = {};  // instead of what a failure asks for
};

/// PASS where the whole interval is at most `margin` longer than expected, FAIL where all of it is longer,
/// else INCONCLUSIVE; excused without an expectation. What is far faster than expected passes, and the row
/// says that the model may be another machine's. Where nothing has an expectation the whole is not run.
/// `source` is who expects.
Verdicts judge_expectations(std::span<const ExpectedTime> times, double margin, const std::string& source,
                            const ExpectationWords& words = {});

/// The runs that a verdict is of, by name and by a digest of their records: a verdict belongs to the records
/// that it was made of, and to no others. These runs, or all where there are none, in order of their names.
/// Unknown runs are left out.
std::vector<JudgedRun> judged_runs(const Store& store, std::span<const std::string> runs = {});

/// Why the verdicts are not of this store, in one line; "" where they are, and for what judges a host and no
/// runs (check). `reported` is the run of the report; empty: all runs of the store.
std::string why_not_of(const Store& store, const std::string& reported, const Verdicts& verdicts);

}  // namespace assay::results
