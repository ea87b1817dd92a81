// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tool that printed a list of cables, by how its text begins.
#pragma once

#include <string_view>

namespace assay::model::fabric::site {

struct ListKind {
  std::string_view word;  // before '=' of --topology: "ibnetdiscover"; empty: no list that is known
  std::string_view tool;  // for messages: "the output of ibnetdiscover"
};

/// No TOML is taken for a list.
ListKind list_kind_of(std::string_view text);

}  // namespace assay::model::fabric::site
