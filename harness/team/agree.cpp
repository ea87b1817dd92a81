// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

namespace assay::team {
namespace {

using core::Error;
using core::ErrorKind;

/// What all ranks of this team have already been told: an agreement around it does not tell it again.
class AgreedError : public Error {
 public:
  using Error::Error;
};
class AgreedUnsupported : public core::Unsupported {
 public:
  using core::Unsupported::Unsupported;
};

constexpr char went_well = '+', failed = '!';

/// What a rank tells of its failure.
struct Complaint {
  int rank = 0;
  std::string what;
  long code = 0;
  ErrorKind kind = ErrorKind::system;
  bool unsupported = false;
  bool agreed = false;
};

std::string text_of(const std::exception& exception) {
  nlohmann::json complaint{
      {"what", exception.what()}, {"kind", static_cast<int>(ErrorKind::system)}, {"code", 0}};
  if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    complaint["kind"] = static_cast<int>(error->kind());
    complaint["code"] = error->code();
  }
  complaint["unsupported"] = dynamic_cast<const core::Unsupported*>(&exception) != nullptr;
  complaint["agreed"] = dynamic_cast<const AgreedError*>(&exception) != nullptr ||
                        dynamic_cast<const AgreedUnsupported*>(&exception) != nullptr;
  return failed + complaint.dump();
}

Complaint complaint_from(const std::string& text, int rank) {
  const nlohmann::json complaint = nlohmann::json::parse(text.substr(1));
  return {.rank = rank,
          .what = complaint.at("what"),
          .code = complaint.at("code"),
          .kind = static_cast<ErrorKind>(complaint.at("kind").get<int>()),
          .unsupported = complaint.at("unsupported"),
          .agreed = complaint.at("agreed")};
}

[[noreturn]] void throw_for_all(const Team& team, const std::vector<Complaint>& complaints) {
  std::string what;
  const Complaint& first = complaints.front();
  if (first.agreed) what = first.what;
  for (const Complaint& complaint : complaints)
    if (!complaint.agreed)
      what += fmt::format("{}rank {} ({}): {}", what.empty() ? "" : "; ", complaint.rank,
                          team.host_of(complaint.rank), complaint.what);
  if (std::ranges::all_of(complaints, &Complaint::unsupported))
    throw AgreedUnsupported(first.kind, what, first.code);
  throw AgreedError(first.kind, what, first.code);
}

}  // namespace

std::vector<std::string> agree(Team& team, const std::function<std::string()>& work, double limit_s) {
  std::string mine;
  std::exception_ptr own;
  try {
    mine = went_well + work();
  } catch (const PeerLost&) {
    throw;  // the team is broken: there is nobody to tell
  } catch (const std::exception& exception) {
    own = std::current_exception();
    mine = text_of(exception);
  }
  std::vector<std::string> all = team.gather(std::move(mine), limit_s);
  std::vector<Complaint> complaints;
  for (int rank = 0; rank < team.size(); ++rank) {
    std::string& text = all[static_cast<std::size_t>(rank)];
    if (text.starts_with(failed)) complaints.push_back(complaint_from(text, rank));
    text.erase(0, 1);
  }
  if (complaints.empty()) return all;
  // An agreement within this one has told some of it: who failed there by itself says what it was.
  if (!std::ranges::all_of(complaints, &Complaint::agreed)) std::erase_if(complaints, &Complaint::agreed);
  if (own && complaints.size() == 1 && complaints.front().rank == team.rank()) std::rethrow_exception(own);
  throw_for_all(team, complaints);
}

}  // namespace assay::team
