// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The list of judges. Accept, bundle, replay and diff ask all of them, in this order. A judge declares what
// it reads besides the records: the commands have a flag for each input, and a bundle holds what was given.
//
// A judge is a source judges/NAME.cpp with a function `Judge NAME_judge()`, and its name in
// results/CMakeLists.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/judge/evidence.hpp"
#include "results/judge/verdicts.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct JudgeInput {
  enum class Kind {
    limit_files,  // what records are held against
    data_files,   // what was measured or found besides the records
    share,        // "3%" or "0.03"
  };
  Kind kind;
  std::string_view name;    // in Evidence, and in a bundle the folder of the files or the name of the share
  std::string_view flag;    // "--limits"
  std::string_view about;   // for --help
  std::string_view called;  // where two bundles differ: "the limits files"
  std::string_view otherwise;  // of a share, where the flag is not given; "": none
  bool only_one = false;       // file
};

/// What one judge says, for programs and for people.
struct Judged {
  Verdicts verdicts;
  Table table;
  bool only_notes = false;  // it judged nothing, and need not
};

struct Judge {
  std::string_view name;
  std::vector<JudgeInput> inputs;
  /// Nothing where it was not asked, or has no doubt. Throws std::runtime_error with one line for records,
  /// and a usage Error for files, that cannot be judged.
  std::vector<Judged> (*judge)(const Evidence& evidence);
};

/// Generated from the names in results/CMakeLists.txt.
const std::vector<Judge>& judges();

enum class Unjudgeable {
  throws,  // the std::runtime_error of a judge ends all
  is_open  // it is an INCONCLUSIVE row, and the other judges are asked
};

/// Asks every judge.
std::vector<Judged> ask_judges(const Evidence& evidence, Unjudgeable unjudgeable);
/// Asks one of the list, by its name.
std::vector<Judged> ask_judge(std::string_view name, const Evidence& evidence);

/// What one judge said joins the whole.
void append(Verdicts& whole, Judged part);

/// With a table of what does not pass.
Judged with_table(Verdicts verdicts);
/// `what` is INCONCLUSIVE, because it cannot be judged.
Judged open_judgement(const std::string& what, const std::string& because);

}  // namespace assay::results
