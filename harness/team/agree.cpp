// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/agree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

namespace assay::team {
namespace {

using core::Error;
using core::ErrorKind;

constexpr char went_well = '+', failed = '!';

/// What a rank reports of its failure.
struct Complaint {
  int rank = 0;
  std::string what;
  long code = 0;
  ErrorKind kind = ErrorKind::system;
  bool unsupported = false;
};

std::string text_of(const std::exception& exception) {
  nlohmann::json complaint{
      {"what", exception.what()}, {"kind", static_cast<int>(ErrorKind::system)}, {"code", 0}};
  if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    complaint["kind"] = static_cast<int>(error->kind());
    complaint["code"] = error->code();
  }
  complaint["unsupported"] = dynamic_cast<const core::Unsupported*>(&exception) != nullptr;
  // A text of another system may not be UTF-8.
  return failed + complaint.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Complaint complaint_from(const std::string& text, int rank) {
  try {
    const nlohmann::json complaint =
        nlohmann::json::parse(text.substr(std::min<std::size_t>(text.size(), 1)));
    return {.rank = rank,
            .what = complaint.at("what"),
            .code = complaint.at("code"),
            .kind = static_cast<ErrorKind>(complaint.at("kind").get<int>()),
            .unsupported = complaint.at("unsupported")};
  } catch (const nlohmann::json::exception&) {
    return {.rank = rank, .what = "failed, in words that make no sense", .kind = ErrorKind::team};
  }
}

/// With the rank it comes from; once only, where ranks repeat what they had agreed on before.
std::string told_by(const Team& team, const Complaint& complaint) {
  for (int rank = 0; rank < team.size(); ++rank)
    if (complaint.what.starts_with(fmt::format("rank {} ({}): ", rank, team.host_of(rank))))
      return complaint.what;
  return fmt::format("rank {} ({}): {}", complaint.rank, team.host_of(complaint.rank), complaint.what);
}

[[noreturn]] void throw_for_all(const Team& team, const std::vector<Complaint>& complaints) {
  std::vector<std::string> told;
  for (const Complaint& complaint : complaints) {
    std::string one = told_by(team, complaint);
    if (std::ranges::find(told, one) == told.end()) told.push_back(std::move(one));
  }
  const std::string what = fmt::format("{}", fmt::join(told, "; "));
  const Complaint& first = complaints.front();
  if (std::ranges::all_of(complaints, &Complaint::unsupported))
    throw core::Unsupported(first.kind, what, first.code);
  throw Error(first.kind, what, first.code);
}

}  // namespace

std::vector<std::string> agree(Team& team, const std::function<std::string()>& work, double limit_s) {
  std::string mine;
  std::exception_ptr own;
  try {
    mine = went_well + work();
  } catch (const PeerLost&) {
    throw;  // the team is broken: no rank is left to inform
  } catch (const std::exception& exception) {
    own = std::current_exception();
    mine = text_of(exception);
  }
  std::vector<std::string> all = team.gather(std::move(mine), limit_s);
  std::vector<Complaint> complaints;
  for (int rank = 0; rank < team.size(); ++rank) {
    std::string& text = all[static_cast<std::size_t>(rank)];
    if (!text.starts_with(went_well)) complaints.push_back(complaint_from(text, rank));
    text.erase(0, 1);
  }
  if (complaints.empty()) return all;
  if (own && complaints.size() == 1) std::rethrow_exception(own);
  throw_for_all(team, complaints);
}

}  // namespace assay::team
