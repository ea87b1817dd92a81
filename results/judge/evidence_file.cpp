// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/evidence_file.hpp"

namespace assay::results {

TaggedName tagged_name(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  const std::string before = text.substr(0, equals);
  const std::size_t folder = before.rfind('/');
  std::string name = text.substr(equals + 1);
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  return {folder == std::string::npos ? before : before.substr(folder + 1), name};
}

}  // namespace assay::results
