// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// JSON Schemas of the records, from the descriptions of their fields.
#pragma once

#include <string>

namespace assay::results::test {

/// The text of `kind`.schema.json; `kind` is context, point or end.
std::string schema_text(const std::string& kind);

}  // namespace assay::results::test
