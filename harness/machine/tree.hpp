// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Small files of /sys and /proc below a root; a file that is absent or unreadable is an empty optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::machine {

class Tree {
 public:
  explicit Tree(std::string root) : root_(std::move(root)) {}

  /// False for a test's tree: then nothing may be asked of the running kernel or processor.
  bool is_this_machine() const { return root_.empty() || root_ == "/"; }

  /// At most `most` bytes as valid UTF-8 (core::valid_text), without white space at the end: firmware may
  /// have written it. Line feeds, tabs, carriage returns and NULs stay.
  std::optional<std::string> read(const std::string& path, std::size_t most = 64 * 1024) const;
  /// At most `most` bytes as they are, NULs and all.
  std::optional<std::string> read_bytes(const std::string& path, std::size_t most) const;
  /// The number a file begins with ("16", "105M" is 105); empty where it begins with none.
  std::optional<std::int64_t> read_integer(const std::string& path) const;
  /// A whole file that is one number; "N/A (no PMA)" is not. Not read_integer: counters use all 64 bits.
  std::optional<std::uint64_t> read_count(const std::string& path) const;
  /// read(), or "" where that is empty.
  std::string text(const std::string& path) const { return read(path).value_or(""); }

  bool exists(const std::string& path) const;
  /// Names in a directory in natural order: mlx5_2 before mlx5_10.
  std::vector<std::string> list(const std::string& path) const;
  /// The path with every link followed, its last part the real name; "" where it leads nowhere.
  std::string resolve(const std::string& path) const;

 private:
  std::string root_;
};

/// The count in a text of digits alone.
std::optional<std::uint64_t> count_from(const std::string& text);

bool naturally_less(const std::string& left, const std::string& right);

}  // namespace assay::machine
