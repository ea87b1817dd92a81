// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The answer of the second statement to three files: keys that exclude each other, a reason why the step does
// not fit, or its 96 numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/reference/sheet.hpp"

namespace assay::model::reference {

struct Answer {
  std::vector<std::string> refused;  // keys of the execution, one for each rule that is broken
  std::string reason;                // empty: it fits
  std::vector<std::string>
      nearby;   // what the reason would be if rounding had left a size a little smaller or larger
  Sheet sheet;  // filled where nothing is refused and the layout is possible

  bool fits() const { return refused.empty() && reason.empty(); }
};

/// The files hold every key, each of its kind; what they say together may be impossible.
Answer answer(const nlohmann::json& application, const nlohmann::json& execution,
              const nlohmann::json& system);

/// Keys of the execution that break a rule.
std::vector<std::string> refusals(const Letters& x);

/// In binary units: iB, kiB, MiB and so on, three digits after the point.
std::string size_text(double bytes);

}  // namespace assay::model::reference
