// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/unpacked.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace assay::results {

Unpacked::Unpacked() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-bundle-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw std::system_error(errno, std::generic_category(), "making folder " + name);
  folder_ = name;
}

Unpacked::~Unpacked() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Unpacked::add(const Member& member) {
  const std::filesystem::path path = folder_ / member.name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream << member.content;
  stream.close();
  if (!stream) throw std::runtime_error(path.string() + ": cannot be written");
  return path;
}

}  // namespace assay::results
