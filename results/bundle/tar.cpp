// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/tar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

namespace assay::results {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_name = 100;
constexpr std::size_t largest_member = 077777777777;     // what eleven octal digits can tell: less than 8 GiB
constexpr std::size_t size_at = 124, checksum_at = 148;  // in a header of POSIX.1-2001 (ustar)

std::size_t padding_after(std::size_t size) { return (block - size % block) % block; }

bool is_name(std::string_view name) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/";
  return !name.empty() && name.size() <= longest_name && !name.starts_with('/') &&
         name.find("..") == std::string_view::npos &&
         name.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_zero(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  std::vector<Member> read() {
    std::vector<Member> members;
    while (!at_end()) members.push_back(next(members.size() + 1));
    return members;
  }

 private:
  /// Two blocks of zeros, and nothing behind them.
  bool at_end() const {
    if (bytes_.size() - at_ != 2 * block) return false;
    if (!is_zero(bytes_.substr(at_))) refuse("its end was altered");
    return true;
  }

  Member next(std::size_t number) {
    const std::string_view header = take(block, number, "");
    const std::string name(header.substr(0, std::min(header.find('\0'), longest_name)));
    std::size_t size = 0;
    const char* digits = header.data() + size_at;
    const auto [end, error] = std::from_chars(digits, digits + 11, size, 8);
    if (!is_name(name) || error != std::errc() || end != digits + 11 || header != tar_header(name, size))
      refuse(
          fmt::format("member {}{}: its header was altered", number, is_name(name) ? " (" + name + ")" : ""));
    Member member{name, std::string(take(size, number, name))};
    if (!is_zero(take(padding_after(size), number, name)))
      refuse(fmt::format("member {} ({}): the bytes behind it were altered", number, name));
    return member;
  }

  std::string_view take(std::size_t size, std::size_t number, const std::string& name) {
    if (bytes_.size() - at_ < size)
      refuse(fmt::format("it is cut off in member {}{}", number, name.empty() ? "" : " (" + name + ")"));
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  [[noreturn]] void refuse(const std::string& what) const { throw std::runtime_error(where_ + ": " + what); }

  std::string_view bytes_;
  const std::string& where_;
  std::size_t at_ = 0;
};

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

std::string to_tar(std::span<const Member> members) {
  std::string bytes;
  for (const Member& member : members) {
    if (!is_name(member.name)) throw std::invalid_argument("no name of a member: " + member.name);
    bytes += tar_header(member.name, member.content.size());
    bytes += member.content;
    bytes.append(padding_after(member.content.size()), '\0');
  }
  return bytes.append(2 * block, '\0');
}

std::vector<Member> from_tar(std::string_view bytes, const std::string& where) {
  return Reader(bytes, where).read();
}

}  // namespace assay::results
