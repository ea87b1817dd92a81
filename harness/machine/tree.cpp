// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/core/printable.hpp"

namespace assay::machine {

namespace {

bool digit(char letter) { return letter >= '0' && letter <= '9'; }

/// The length of the run of digits at `from`.
std::size_t digits(const std::string& text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && digit(text[end])) ++end;
  return end - from;
}

}  // namespace

std::optional<std::string> Tree::read_bytes(const std::string& path, std::size_t most) const {
  const core::Descriptor file(::open((root_ + path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return {};
  std::string text;
  // /proc hands out a page or so at a time; a read ends at zero.
  for (char block[4096]; text.size() < most;) {
    const ssize_t got = ::read(file.get(), block, std::min(sizeof(block), most - text.size()));
    if (got < 0) return {};
    if (got == 0) break;
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

std::optional<std::string> Tree::read(const std::string& path, std::size_t most) const {
  using namespace std::string_view_literals;
  std::optional<std::string> text = read_bytes(path, most);
  if (text) text = core::valid_text(*text, "\n\t\r\0"sv);
  while (text && !text->empty() &&
         (std::isspace(static_cast<unsigned char>(text->back())) != 0 || text->back() == '\0'))
    text->pop_back();
  return text;
}

std::optional<std::int64_t> Tree::read_integer(const std::string& path) const {
  const auto text = read(path, 64);
  std::int64_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{}) return {};
  return value;
}

std::optional<std::uint64_t> Tree::read_count(const std::string& path) const {
  const auto text = read(path, 64);
  return text ? count_from(*text) : std::nullopt;
}

bool Tree::exists(const std::string& path) const { return ::access((root_ + path).c_str(), F_OK) == 0; }

std::vector<std::string> Tree::list(const std::string& path) const {
  const core::Handle<DIR*, ::closedir> directory(::opendir((root_ + path).c_str()));
  std::vector<std::string> names;
  if (!directory) return names;
  while (const dirent* entry = ::readdir(directory.get()))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end(), naturally_less);
  return names;
}

std::string Tree::resolve(const std::string& path) const {
  const core::Handle<char*, std::free> real(::realpath((root_ + path).c_str(), nullptr));
  return real ? std::string(real.get()) : "";
}

std::optional<std::uint64_t> count_from(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

bool naturally_less(const std::string& left, const std::string& right) {
  std::size_t at = 0;
  for (std::size_t other = 0; at < left.size() && other < right.size();) {
    const std::size_t length = digits(left, at), other_length = digits(right, other);
    if (length > 0 && other_length > 0) {
      const std::string number = left.substr(at, length), other_number = right.substr(other, other_length);
      if (length != other_length) return length < other_length;
      if (number != other_number) return number < other_number;
      at += length;
      other += other_length;
    } else if (left[at] != right[other]) {
      return left[at] < right[other];
    } else {
      ++at;
      ++other;
    }
  }
  return left.size() < right.size();
}

}  // namespace assay::machine
