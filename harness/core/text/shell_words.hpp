// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Words of a command line, as a shell parts and quotes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// Splits at blanks outside '...' and "..."; nothing else is special. Throws a usage Error that begins with
/// `where` on an open quote.
std::vector<std::string> split_words(std::string_view text, std::string_view where);

/// For people: the words as a shell would have to be given them.
std::string shell_text(std::span<const std::string> words);

}  // namespace assay::core
