// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/exporters.hpp"

#include <algorithm>

namespace assay::model::exporters {
namespace {

bool has_option(const std::vector<std::string_view>& options, std::string_view option) {
  return std::ranges::find(options, option) != options.end();
}

}  // namespace

bool Exporter::takes(std::string_view option) const {
  return option == coefficients_option || has_option(uses, option) ||
         (reads_network && has_option(network_options, option)) ||
         std::ranges::find(own, option, &OwnOption::flag) != own.end();
}

const Exporter* exporter_named(std::string_view name) {
  const auto found = std::ranges::find(exporters(), name, &Exporter::name);
  return found == exporters().end() ? nullptr : &*found;
}

}  // namespace assay::model::exporters
