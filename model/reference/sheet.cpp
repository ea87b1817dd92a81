// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reference/sheet.hpp"

#include <stdexcept>

namespace assay::model::reference {

Real Sheet::operator[](std::string_view name) const {
  const auto found = cells_.find(name);
  if (found == cells_.end()) throw std::logic_error("read before it is written: " + std::string(name));
  return found->second;
}

void Sheet::set(std::string name, Real value) {
  const auto [cell, fresh] = cells_.emplace(std::move(name), value);
  if (!fresh) throw std::logic_error("written twice: " + cell->first);
}

Real Sheet::doubt(const std::string& name) const {
  const auto found = doubts_.find(name);
  return found == doubts_.end() ? 0 : found->second;
}

}  // namespace assay::model::reference
