// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keys, tokens and passwords, by their names and forms: records are handed to others.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

/// Whether a word of the name is KEY, TOKEN, SECRET, PASSWORD and the like: "NCCL_X_TOKEN", "db-passwd".
bool is_name_of_secret(std::string_view name);

/// Whether a text has the form of a secret whatever it is called: a private key, a JSON Web Token, an access
/// key of a cloud or of a code host, a URL with a password.
bool has_form_of_secret(std::string_view text);

/// The text that replaces a secret.
inline constexpr std::string_view secret_left_out = "(left out: looks like a secret)";

/// Replaces secrets among the values, of objects in each other too, by secret_left_out; returns where they
/// were: "environment.ASSAY_TEAM_KEY".
std::vector<std::string> take_out_secrets(nlohmann::ordered_json& value, const std::string& where);

/// Likewise among the environment, the command line (words NAME=value) and the machine of a process.
std::vector<std::string> take_out_secrets(ContextRecord& context);

}  // namespace assay::results
