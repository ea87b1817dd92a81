// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/tar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/core/files/sha256.hpp"

namespace assay::results {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_name = 100;
constexpr std::size_t read_at_once = std::size_t{1} << 16;
constexpr std::size_t largest_member = 077777777777;     // eleven octal digits: less than 8 GiB
constexpr std::size_t size_at = 124, checksum_at = 148;  // in a header of POSIX.1-2001 (ustar)

std::size_t padding_after(std::size_t size) { return (block - size % block) % block; }

bool is_name(std::string_view name) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-=/";
  return !name.empty() && name.size() <= longest_name && !name.starts_with('/') &&
         name.find("..") == std::string_view::npos &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_zero(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

class Reader {
 public:
  Reader(const core::ByteSource& source, const std::string& where) : source_(source), where_(where) {}

  std::vector<Member> read() {
    std::vector<Member> members;
    while (!at_end()) members.push_back(next(members.size() + 1));
    return members;
  }

 private:
  /// Two blocks of zeros, and nothing behind them.
  bool at_end() {
    const std::string_view rest = ahead(2 * block + 1);
    if (rest.size() != 2 * block) return false;
    if (!is_zero(rest)) refuse("its end was altered");
    return true;
  }

  Member next(std::size_t number) {
    const std::string header = take(block, number, "").text();
    const std::string name = header.substr(0, std::min(header.find('\0'), longest_name));
    std::size_t size = 0;
    const char* digits = header.data() + size_at;
    const auto [end, error] = std::from_chars(digits, digits + 11, size, 8);
    if (!is_name(name) || error != std::errc() || end != digits + 11 || header != tar_header(name, size))
      refuse(
          fmt::format("member {}{}: its header was altered", number, is_name(name) ? " (" + name + ")" : ""));
    Member member{name, take(size, number, name)};
    if (!is_zero(take(padding_after(size), number, name).text()))
      refuse(fmt::format("member {} ({}): the bytes behind it were altered", number, name));
    return member;
  }

  core::LongText take(std::size_t size, std::size_t number, const std::string& name) {
    return core::LongText::of([&](const core::ByteSink& sink) {
      for (std::size_t left = size; left > 0;) {
        const std::string_view piece = ahead(1).substr(0, left);
        if (piece.empty())
          refuse(fmt::format("it is cut off in member {}{}", number, name.empty() ? "" : " (" + name + ")"));
        sink(piece);
        at_ += piece.size();
        left -= piece.size();
      }
    });
  }

  /// That many bytes that are not taken yet, or more; fewer at the end.
  std::string_view ahead(std::size_t fewest) {
    while (held_.size() - at_ < fewest && !ended_) {
      held_.erase(0, std::exchange(at_, 0));
      const std::size_t had = held_.size();
      held_.resize(had + read_at_once);
      const std::size_t got = source_(held_.data() + had, read_at_once);
      held_.resize(had + got);
      ended_ = got == 0;
    }
    return std::string_view(held_).substr(at_);
  }

  [[noreturn]] void refuse(const std::string& what) const { throw std::runtime_error(where_ + ": " + what); }

  const core::ByteSource& source_;
  const std::string& where_;
  std::string held_;
  std::size_t at_ = 0;  // in it, of the first byte that is not taken
  bool ended_ = false;
};

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
    digests.sums.push_back(member.content.digest());
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
  const std::string sums = members[members.size() - 2].content.text();
  const std::string chain = members.back().content.text();
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

std::string tar_header(std::string_view name, std::size_t size) {
  if (size > largest_member)
    throw std::runtime_error(fmt::format(
        "{} has {} bytes, and a member of a bundle holds less than 8 GiB: bundle fewer runs (--run)", name,
        size));
  std::string header(block, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { header.replace(at, text.size(), text); };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(size_at, fmt::format("{:011o}", size));
  put(136, "00000000000");
  put(checksum_at, "        ");
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0U, [](unsigned so_far, char byte) {
    return so_far + static_cast<unsigned char>(byte);
  });
  put(checksum_at, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header;
}

void write_tar(std::span<const Member> members, const core::ByteSink& sink) {
  std::vector<std::string> headers;  // what one of them refuses is refused before a byte is written
  for (const Member& member : members) {
    if (!is_name(member.name)) throw std::invalid_argument("no name of a member: " + member.name);
    headers.push_back(tar_header(member.name, member.content.size()));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    sink(headers[i]);
    members[i].content.write_to(sink);
    sink(std::string(padding_after(members[i].content.size()), '\0'));
  }
  sink(std::string(2 * block, '\0'));
}

std::vector<Member> from_tar(const core::ByteSource& source, const std::string& where) {
  return Reader(source, where).read();
}

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
  if (members.back().content.text() != lines_of(digests.links, chained))
    throw std::runtime_error(
        fmt::format("{}: {} was altered after the bundle was made", where, culprit(members, digests)));
  const auto summed = members.first(members.size() - 2);
  if (members[members.size() - 2].content.text() != lines_of(digests.sums, summed))
    throw std::runtime_error(where + ": SHA256SUMS does not hold the digests of the members");
  return digests.links.back();
}

}  // namespace assay::results
