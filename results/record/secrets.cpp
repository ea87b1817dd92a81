// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/secrets.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

namespace assay::results {
namespace {

constexpr std::array<std::string_view, 13> secret_words{
    "KEY",      "APIKEY",     "TOKEN",      "SECRET",      "SECRETS", "PASS",  "PASSWD",
    "PASSWORD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "JWT",     "BEARER"};

/// Beginnings that the issuers of keys document, and how many letters of a key follow at least.
struct KeyForm {
  std::string_view beginning;
  std::size_t letters;
};
constexpr std::array<KeyForm, 16> key_forms{{{"AKIA", 16},
                                             {"ASIA", 16},
                                             {"ghp_", 30},
                                             {"gho_", 30},
                                             {"ghs_", 30},
                                             {"github_pat_", 30},
                                             {"glpat-", 20},
                                             {"hf_", 30},
                                             {"nvapi-", 30},
                                             {"hvs.", 20},
                                             {"xoxb-", 20},
                                             {"xoxp-", 20},
                                             {"sk-", 30},
                                             {"AIza", 35},
                                             {"npm_", 30},
                                             {"dckr_pat_", 20}}};

bool is_letter_of_key(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-' ||
         letter == '.';
}

bool has_key_at(std::string_view text, std::size_t at, const KeyForm& form) {
  if (at > 0 && is_letter_of_key(text[at - 1])) return false;
  const std::string_view key = text.substr(at + form.beginning.size());
  const auto end = std::ranges::find_if_not(key, is_letter_of_key);
  return static_cast<std::size_t>(end - key.begin()) >= form.letters;
}

/// "eyJhbGciOi....eyJzdWIi....signature": RFC 7519; each part begins with {" in base64.
bool has_web_token(std::string_view text) {
  for (std::size_t at = text.find("eyJ"); at != std::string_view::npos; at = text.find("eyJ", at + 1)) {
    const std::size_t dot =
        text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", at);
    if (dot != std::string_view::npos && dot > at + 8 && text.substr(dot).starts_with(".eyJ")) return true;
  }
  return false;
}

/// "scheme://user:password@host".
bool has_password_in_url(std::string_view text) {
  for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://", at + 1)) {
    const std::string_view rest = text.substr(at + 3, text.find_first_of("/ \t\n", at + 3) - at - 3);
    const std::size_t host = rest.rfind('@'), colon = rest.find(':');
    if (host != std::string_view::npos && colon < host && host - colon > 1) return true;
  }
  return false;
}

std::vector<std::string> take_out_from_words(std::vector<std::string>& words) {
  std::vector<std::string> found;
  for (std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, std::min(equals, word.size()));
    const bool is_named = equals != std::string::npos && equals + 1 < word.size() && is_name_of_secret(name);
    if (!is_named && !has_form_of_secret(word)) continue;
    if (equals != std::string::npos && word.substr(equals + 1) == secret_left_out) continue;
    word = is_named ? name + "=" + std::string(secret_left_out) : std::string(secret_left_out);
    // A word found by its form alone is not named: the text before '=' may be a part of the secret.
    found.push_back(is_named ? "command_line." + name : "command_line");
  }
  return found;
}

}  // namespace

bool is_name_of_secret(std::string_view name) {
  std::string word;
  const auto is_secret = [&word] { return std::ranges::find(secret_words, word) != secret_words.end(); };
  bool was_small = false;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_big = std::isupper(byte) != 0;
    if (std::isalnum(byte) == 0 || (is_big && was_small)) {
      if (is_secret()) return true;
      word.clear();
    }
    was_small = std::islower(byte) != 0;
    if (std::isalnum(byte) != 0) word += static_cast<char>(std::toupper(byte));
  }
  return is_secret();
}

bool has_form_of_secret(std::string_view text) {
  if (text.find("PRIVATE KEY-----") != std::string_view::npos) return true;
  for (const KeyForm& form : key_forms)
    for (std::size_t at = text.find(form.beginning); at != std::string_view::npos;
         at = text.find(form.beginning, at + 1))
      if (has_key_at(text, at, form)) return true;
  return has_web_token(text) || has_password_in_url(text);
}

std::vector<std::string> take_out_secrets(nlohmann::ordered_json& value, const std::string& where) {
  std::vector<std::string> found;
  if (value.is_string() && has_form_of_secret(value.get_ref<const std::string&>())) {
    value = secret_left_out;
    found.push_back(where);
  } else if (value.is_object()) {
    for (auto& [name, held] : value.items()) {
      const std::string place = where.empty() ? name : where + "." + name;
      if (is_name_of_secret(name) && held.is_string() && !held.get_ref<const std::string&>().empty() &&
          held != secret_left_out) {
        held = secret_left_out;
        found.push_back(place);
      } else {
        std::ranges::move(take_out_secrets(held, place), std::back_inserter(found));
      }
    }
  } else if (value.is_array()) {
    for (auto& held : value) std::ranges::move(take_out_secrets(held, where), std::back_inserter(found));
  }
  return found;
}

std::vector<std::string> take_out_secrets(ContextRecord& context) {
  std::vector<std::string> found = take_out_secrets(context.environment, "environment");
  std::ranges::move(take_out_from_words(context.command_line), std::back_inserter(found));
  std::ranges::move(take_out_secrets(context.machine, "machine"), std::back_inserter(found));
  return found;
}

}  // namespace assay::results
