// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/agree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/team/wire/frame.hpp"

namespace assay::team {
namespace {

using core::Error;
using core::ErrorKind;

constexpr char went_well = '+', failed = '!';
// Limit for all ranks together: what one rank sends must not grow with the ranks.
constexpr std::size_t most_complaints = 16;

/// A rank's report of its failure.
struct Complaint {
  int rank = 0;
  std::string what;
  long code = 0;
  ErrorKind kind = ErrorKind::system;
  bool unsupported = false;
};

struct Complaints {
  std::vector<Complaint> first;  // by rank
  std::size_t more = 0;
  bool all_unsupported = true;

  void add(Complaint complaint) {
    all_unsupported = all_unsupported && complaint.unsupported;
    // Ranks repeat what they had agreed on before.
    const bool repeats = complaint.what.starts_with("rank ") &&
                         std::ranges::find(first, complaint.what, &Complaint::what) != first.end();
    if (repeats) return;
    if (first.size() < most_complaints)
      first.push_back(std::move(complaint));
    else
      ++more;
  }
};

Complaint complaint_of(const std::exception& exception, int rank) {
  Complaint complaint{.rank = rank, .what = exception.what()};
  if (const auto* error = dynamic_cast<const Error*>(&exception)) {
    complaint.kind = error->kind();
    complaint.code = error->code();
  }
  complaint.unsupported = dynamic_cast<const core::Unsupported*>(&exception) != nullptr;
  return complaint;
}

std::string text_of(const Complaints& complaints) {
  nlohmann::json list = nlohmann::json::array();
  for (const Complaint& one : complaints.first)
    list.push_back({{"rank", one.rank},
                    {"what", one.what},
                    {"code", one.code},
                    {"kind", static_cast<int>(one.kind)},
                    {"unsupported", one.unsupported}});
  const nlohmann::json all{
      {"first", list}, {"more", complaints.more}, {"all_unsupported", complaints.all_unsupported}};
  // A text of another system may not be UTF-8.
  return failed + core::json_text(all);
}

/// `text`: of `rank` and those that follow it.
Complaints complaints_from(const std::string& text, int rank) {
  Complaints complaints;
  try {
    const nlohmann::json all =
        core::json_from<nlohmann::json>(text.substr(std::min<std::size_t>(text.size(), 1)));
    for (const nlohmann::json& one : all.at("first"))
      complaints.add({.rank = one.at("rank"),
                      .what = one.at("what"),
                      .code = one.at("code"),
                      .kind = static_cast<ErrorKind>(one.at("kind").get<int>()),
                      .unsupported = one.at("unsupported")});
    complaints.more += all.at("more").get<std::size_t>();
    complaints.all_unsupported = complaints.all_unsupported && all.at("all_unsupported").get<bool>();
  } catch (const nlohmann::json::exception&) {
    complaints = {};
  }
  if (complaints.first.empty())
    complaints.add({.rank = rank, .what = "failed, in words that make no sense", .kind = ErrorKind::team});
  return complaints;
}

/// With the rank it comes from; once only, where ranks repeat what they had agreed on before.
std::string told_by(const Team& team, const Complaint& complaint) {
  for (int rank = 0; rank < team.size(); ++rank)
    if (complaint.what.starts_with(fmt::format("rank {} ({}): ", rank, team.host_of(rank))))
      return complaint.what;
  const std::string host =
      complaint.rank >= 0 && complaint.rank < team.size() ? team.host_of(complaint.rank) : "?";
  return fmt::format("rank {} ({}): {}", complaint.rank, host, complaint.what);
}

[[noreturn]] void throw_for_all(const Team& team, const Complaints& complaints) {
  std::vector<std::string> told;
  for (const Complaint& complaint : complaints.first) {
    std::string one = told_by(team, complaint);
    if (std::ranges::find(told, one) == told.end()) told.push_back(std::move(one));
  }
  std::string what = fmt::format("{}", fmt::join(told, "; "));
  if (complaints.more > 0) what += fmt::format("; and {} more ranks failed", complaints.more);
  const Complaint& first = complaints.first.front();
  if (complaints.all_unsupported) throw core::Unsupported(first.kind, what, first.code);
  throw Error(first.kind, what, first.code);
}

/// Two results, or all complaints where there are any.
void merge(std::string& all, const std::string& next, int first_rank, const Combine& combine) {
  if (all.starts_with(went_well) && next.starts_with(went_well)) {
    try {
      std::string results = all.substr(1);
      combine(results, next.substr(1));
      all = went_well + std::move(results);
      return;
    } catch (const std::exception& error) {
      Complaints complaints;
      complaints.add(complaint_of(error, first_rank));
      all = text_of(complaints);
      return;
    }
  }
  Complaints complaints;
  if (!all.starts_with(went_well)) complaints = complaints_from(all, 0);
  if (!next.starts_with(went_well)) {
    Complaints later = complaints_from(next, first_rank);
    for (Complaint& one : later.first) complaints.add(std::move(one));
    complaints.more += later.more;
    complaints.all_unsupported = complaints.all_unsupported && later.all_unsupported;
  }
  all = text_of(complaints);
}

}  // namespace

std::string agree_on(Team& team, const std::function<std::string()>& work, const Combine& combine,
                     Knows knows, double limit_s) {
  std::string mine;
  std::exception_ptr own;
  try {
    mine = went_well + work();
  } catch (const PeerLost&) {
    throw;  // the team is broken: no rank is left to inform
  } catch (const std::exception& exception) {
    own = std::current_exception();
    Complaints complaints;
    complaints.add(complaint_of(exception, team.rank()));
    mine = text_of(complaints);
  }
  const std::string all =
      team.reduce(std::move(mine),
                  {.combine = [&](std::string& sum, const std::string& next,
                                  int first_rank) { merge(sum, next, first_rank, combine); },
                   .shared =
                       [&](const std::string& sum) {
                         const bool is_short = knows == Knows::leader && sum.starts_with(went_well);
                         return is_short ? std::string(1, went_well) : sum;
                       }},
                  limit_s);
  if (all.starts_with(went_well)) return all.substr(1);
  const Complaints complaints = complaints_from(all, 0);
  if (own && complaints.first.size() == 1 && complaints.more == 0) std::rethrow_exception(own);
  throw_for_all(team, complaints);
}

std::vector<std::string> agree(Team& team, const std::function<std::string()>& work, double limit_s) {
  return unpack(agree_on(
      team, [&] { return pack({work()}); }, [](std::string& all, const std::string& next) { all += next; },
      Knows::everyone, limit_s));
}

}  // namespace assay::team
