// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of a peer, as far as a terminal may see it.
#pragma once

#include <string>

namespace assay::team {

/// Nothing in it moves a cursor or fills a screen: control characters and bytes that are not UTF-8
/// become '?', and 200 bytes are enough.
std::string printable(std::string text);

}  // namespace assay::team
