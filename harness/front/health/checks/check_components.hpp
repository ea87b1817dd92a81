// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kind of component that has failed where a check fails, for rates by component.
#pragma once

#include <span>
#include <string_view>

namespace assay::health {

/// "" for a check of how a node is set up, whose failure is not one of a component.
struct CheckComponent {
  std::string_view check, component;
};

/// The components of all checks; of failures of one part at one time the first of this list says what it was.
std::span<const CheckComponent> check_components();

/// The check's place in the list; the list's size for a name that is not a check's.
std::size_t rank_of_check(std::string_view check);
/// "" for a name that is not a check's, too.
std::string_view component_of_check(std::string_view check);

}  // namespace assay::health
