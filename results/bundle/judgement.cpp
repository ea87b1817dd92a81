// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/judgement.hpp"

#include <fmt/format.h>

#include <variant>

#include "harness/core/error.hpp"
#include "results/bundle/unpacked.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

/// Names files as in the bundle: where they are unpacked is another folder each time.
class Renamed {
 public:
  explicit Renamed(const Unpacked& unpacked) : folder_(unpacked.folder().string() + "/") {}

  std::string operator()(std::string text) const {
    for (std::size_t at = 0; (at = text.find(folder_, at)) != std::string::npos;)
      text.erase(at, folder_.size());
    return text;
  }
  void operator()(std::vector<std::string>& texts) const {
    for (std::string& text : texts) text = (*this)(std::move(text));
  }
  void operator()(Judged& part) const {
    Verdicts& verdicts = part.verdicts;
    verdicts.subject = (*this)(std::move(verdicts.subject));
    (*this)(verdicts.notes);
    for (VerdictRow& row : verdicts.rows) {
      for (std::string* text : {&row.metric, &row.limit_source, &row.because, &row.meaning})
        *text = (*this)(std::move(*text));
      (*this)(row.evidence);
    }
    part.table.title = (*this)(std::move(part.table.title));
    (*this)(part.table.notes);
    for (auto& row : part.table.rows)
      for (Cell& cell : row)
        if (auto* text = std::get_if<std::string>(&cell)) *text = (*this)(std::move(*text));
  }

 private:
  std::string folder_;
};

Evidence unpacked_evidence(const BundledEvidence& bundled, const Store& store, Unpacked& unpacked,
                           const Foretell& foretell) {
  Evidence evidence{store, bundled.order, {}, bundled.damage, foretell};
  for (const auto& [input, members] : bundled.files)
    for (const Member& member : members) evidence.files[input].push_back(unpacked.add(member).string());
  return evidence;
}

Judgement judged(const Evidence& evidence, const Renamed& renamed) {
  Judgement judgement{.verdicts = {.command = "bundle"}, .text = {}};
  for (Judged& part : ask_judges(evidence, Unjudgeable::is_open)) {
    renamed(part);
    judgement.text += to_text(part.table) + "\n";
    append(judgement.verdicts, std::move(part));
  }
  judgement.verdicts.runs = judged_runs(evidence.store);
  judgement.text +=
      fmt::format("{}: {}\n", judgement.verdicts.command, to_string(judgement.verdicts.verdict));
  return judgement;
}

}  // namespace

Judgement judge(const BundledEvidence& bundled, const Foretell& foretell) {
  Unpacked unpacked;
  Store store("");
  store.import_journal(unpacked.add({"records.jsonl", bundled.records}));
  const Renamed renamed(unpacked);
  try {
    return judged(unpacked_evidence(bundled, store, unpacked, foretell), renamed);
  } catch (const core::Error& error) {
    throw core::Error(error.kind(), renamed(error.what()), error.code(), error.where());
  }
}

}  // namespace assay::results
