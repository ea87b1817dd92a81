// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/infiniband/ib_rate.hpp"

#include <array>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

namespace assay::model::fabric::site {
namespace {

struct LaneSpeed {
  std::string_view name;
  double gbit_per_s;  // data rate of a lane, after line coding
  unsigned code;      // LinkSpeedActive up to QDR, LinkSpeedExtActive from FDR on (IBTA, PortInfo); 0: none
  bool is_extended;
};
constexpr std::array<LaneSpeed, 9> lane_speeds = {{{"SDR", 2, 1, false},
                                                   {"DDR", 4, 2, false},
                                                   {"QDR", 8, 4, false},
                                                   {"FDR10", 10, 0, false},
                                                   {"FDR", 13.64, 1, true},
                                                   {"EDR", 25, 2, true},
                                                   {"HDR", 50, 4, true},
                                                   {"NDR", 100, 8, true},
                                                   {"XDR", 200, 16, true}}};

struct Width {
  std::string_view name;
  unsigned lanes, code;  // LinkWidthActive
};
constexpr std::array<Width, 5> widths = {
    {{"1", 1, 1}, {"2", 2, 16}, {"4", 4, 2}, {"8", 8, 4}, {"12", 12, 8}}};

unsigned number_in(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

/// "4xNDR"; 0 where it is none.
double rate_of_word(std::string_view word) {
  const std::size_t by = word.find('x');
  if (by == std::string_view::npos) return 0;
  for (const Width& width : widths)
    for (const LaneSpeed& speed : lane_speeds)
      if (word.substr(0, by) == width.name && word.substr(by + 1) == speed.name)
        return width.lanes * speed.gbit_per_s;
  return 0;
}

using Codes = std::map<char, unsigned>;

double rate_of_codes(const Codes& codes, bool is_extended) {
  const auto code = codes.find(is_extended ? 'e' : 's'), lanes = codes.find('w');
  if (code == codes.end() || lanes == codes.end() || code->second == 0) return 0;
  for (const Width& width : widths)
    for (const LaneSpeed& speed : lane_speeds)
      if (lanes->second == width.code && code->second == speed.code && speed.is_extended == is_extended)
        return width.lanes * speed.gbit_per_s;
  return 0;
}

struct Words {
  std::string rate, codes;
  Codes values;
};

bool is_among(char one, std::string_view all) { return all.find(one) != std::string_view::npos; }

Words words_of(const std::string& rest) {
  Words words;
  std::istringstream all(rest);
  for (std::string word; all >> word;) {
    if (word == "lid" || word == "lmc" || word == "slot") {
      all >> word;
    } else if (word.size() > 2 && word[1] == '=' && is_among(word[0], "swve")) {
      words.values[word[0]] = number_in(std::string_view(word).substr(2));
      if (word[0] != 'v') words.codes += (words.codes.empty() ? "" : " ") + word;
    } else if (words.rate.empty() && !is_among(word[0], "([#")) {
      words.rate = word;
    }
  }
  return words;
}

}  // namespace

IbRate ib_rate(const std::string& rest) {
  const Words words = words_of(rest);
  IbRate rate{rate_of_word(words.rate), words.rate.empty() ? words.codes : words.rate};
  if (rate.gbit_per_s > 0) return rate;
  rate.gbit_per_s = rate_of_codes(words.values, true);
  const bool is_by_speed = rate.gbit_per_s <= 0 && words.rate.empty();
  if (is_by_speed) rate.gbit_per_s = rate_of_codes(words.values, false);
  rate.by_speed_code = is_by_speed && rate.gbit_per_s > 0;
  return rate;
}

}  // namespace assay::model::fabric::site
