// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/judgement.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

/// A member as a file without a name, for what reads files only; gone with this, also after a kill.
class UnnamedFile {
 public:
  explicit UnnamedFile(const Member& member) : file_(::memfd_create(member.name.c_str(), MFD_CLOEXEC)) {
    std::ofstream stream(path(), std::ios::binary);
    member.content.write_to([&](std::string_view piece) { stream << piece; });
    stream.close();
    if (!stream) throw std::runtime_error(member.name + ": cannot be unpacked");
  }
  std::string path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }

 private:
  core::Descriptor file_;
};

/// Models read coefficients from files: those of the bundle, which messages name as in the bundle.
ExpectedTimes foretell_from(const std::vector<Member>& coefficients, const std::string& name,
                            const Store& store, const std::string& filter, const Foretell& foretell) {
  const UnnamedFile file(*std::ranges::find(coefficients, name, &Member::name));
  try {
    return foretell(store, filter, file.path());
  } catch (const core::Error& error) {
    std::string what = error.what();
    for (std::size_t at = 0; (at = what.find(file.path(), at)) != std::string::npos; at += name.size())
      what.replace(at, file.path().size(), name);
    throw core::Error(error.kind(), what, error.code(), error.where());
  }
}

Evidence evidence_in(const BundledEvidence& bundled, const Store& store, const Models& models) {
  Evidence evidence{store, bundled.order, {}, bundled.damage};
  for (const auto& [input, members] : bundled.files)
    for (const Member& member : members)
      evidence.files[input].push_back({member.name, member.content.text()});
  evidence.models = models;
  if (models.foretell)
    evidence.models.foretell = [&](const Store& of, const std::string& filter, const std::string& name) {
      return foretell_from(bundled.files.at("coefficients"), name, of, filter, models.foretell);
    };
  return evidence;
}

/// The verdicts of all judges; `look` is given what each of them says.
Verdicts joined_verdicts(const BundledEvidence& bundled, const Models& models,
                         const std::function<void(const Judged&)>& look) {
  Store store("");
  store.import_lines("records.jsonl", bundled.records.source());
  Verdicts whole{.command = "bundle"};
  for (Judged& part : ask_judges(evidence_in(bundled, store, models), Unjudgeable::is_open)) {
    look(part);
    append(whole, std::move(part));
  }
  whole.runs = judged_runs(store);
  return whole;
}

}  // namespace

core::LongText Judgement::json() const {
  return core::LongText::of([this](const core::ByteSink& sink) { write_json(verdicts, sink); });
}

Judgement judge(const BundledEvidence& bundled, const Models& models) {
  Judgement judgement;
  judgement.text = core::LongText::of([&](const core::ByteSink& sink) {
    judgement.verdicts = joined_verdicts(bundled, models, [&](const Judged& part) {
      write_text(table_of(part), 0, sink);
      sink("\n");
    });
    sink(fmt::format("{}: {}\n", judgement.verdicts.command, to_string(judgement.verdicts.verdict)));
  });
  return judgement;
}

Verdicts judged_verdicts(const BundledEvidence& bundled, const Models& models) {
  return joined_verdicts(bundled, models, [](const Judged&) {});
}

}  // namespace assay::results
