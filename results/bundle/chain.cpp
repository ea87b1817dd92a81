// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/chain.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "harness/core/sha256.hpp"

namespace assay::results {
namespace {

constexpr const char* sums_name = "SHA256SUMS";
constexpr const char* chain_name = "CHAIN";

std::string sum_line(const std::string& digest, const std::string& name) {
  return fmt::format("{}  {}\n", digest, name);
}

struct Digests {
  std::vector<std::string> sums;   // of each member
  std::vector<std::string> links;  // of the chain, up to each member
};

Digests digests_of(std::span<const Member> members) {
  Digests digests;
  std::string link = core::sha256("assay-bundle");
  for (const Member& member : members) {
    digests.sums.push_back(core::sha256(member.content));
    link = core::sha256(link + "\n" + sum_line(digests.sums.back(), member.name));
    digests.links.push_back(link);
  }
  return digests;
}

std::string lines_of(const std::vector<std::string>& digests, std::span<const Member> members) {
  std::string text;
  for (std::size_t i = 0; i < members.size(); ++i) text += sum_line(digests[i], members[i].name);
  return text;
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find(line) != std::string::npos;
}

/// The chain does not fit: what was altered first, the member or what is said of it?
std::string culprit(std::span<const Member> members, const Digests& digests) {
  const std::string& sums = members[members.size() - 2].content;
  const std::string& chain = members.back().content;
  for (std::size_t i = 0; i + 1 < members.size(); ++i) {
    if (has_line(chain, sum_line(digests.links[i], members[i].name))) continue;
    const bool is_sums = i + 2 == members.size();
    const bool as_summed = is_sums ? sums == lines_of(digests.sums, members.first(i))
                                   : has_line(sums, sum_line(digests.sums[i], members[i].name));
    return as_summed ? chain_name : members[i].name;
  }
  return chain_name;
}

}  // namespace

std::string add_chain(std::vector<Member>& members) {
  members.push_back({sums_name, lines_of(digests_of(members).sums, members)});
  const Digests digests = digests_of(members);
  members.push_back({chain_name, lines_of(digests.links, members)});
  return digests.links.back();
}

std::string require_intact(std::span<const Member> members, const std::string& where) {
  if (members.size() < 3 || members.back().name != chain_name ||
      members[members.size() - 2].name != sums_name)
    throw std::runtime_error(where +
                             ": no bundle of assay: expected SHA256SUMS and CHAIN as its last members");
  const auto chained = members.first(members.size() - 1);
  const Digests digests = digests_of(chained);
  if (members.back().content != lines_of(digests.links, chained))
    throw std::runtime_error(
        fmt::format("{}: {} was altered after the bundle was made", where, culprit(members, digests)));
  const auto summed = members.first(members.size() - 2);
  if (members[members.size() - 2].content != lines_of(digests.sums, summed))
    throw std::runtime_error(where + ": SHA256SUMS does not tell the digests of the members");
  return digests.links.back();
}

}  // namespace assay::results
