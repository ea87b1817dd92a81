#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# nlohmann/json 3.11.2 (Debian 12): json::parse against ordered_json::parse of one object.
#
# Guess: a type that only keeps the order of keys parses an object in linear time, being a plain list.
# Seen: each key is looked up among all before it, so twice the keys take about four times the instructions (json: about two).
# Not noticed with configuration files; with records of thousands of keys the parse takes most of a program's time.
set -euo pipefail
version=3.11.2-2
command -v valgrind >/dev/null || { echo "skipped: valgrind counts the instructions, and is not installed" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "nlohmann-json3-dev=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's nlohmann-json3-dev $version cannot be had here" && exit 77; }
dpkg-deb --extract ./*.deb root
cat >parse.cpp <<'CODE'
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

int main(int, char** words) {
  std::string text = "{";
  for (int key = 0; key < std::atoi(words[2]); ++key)
    text += (key ? ",\"" : "\"") + std::to_string(1000000 + key) + "\":1";
  text += "}";
  const bool ordered = words[1][0] == 'o';
  return static_cast<int>(ordered ? nlohmann::ordered_json::parse(text).size() : nlohmann::json::parse(text).size()) == 0;
}
CODE
c++ -O2 -std=c++17 -Iroot/usr/include parse.cpp -o parse
instructions() { # type keys
  valgrind --tool=callgrind --callgrind-out-file=out ./parse "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'
}
growth() { # type
  local once twice
  once=$(instructions "$1" 3000) twice=$(instructions "$1" 6000)
  awk -v once="$once" -v twice="$twice" 'BEGIN { printf "%.1f", twice / once }'
}
plain=$(growth json) ordered=$(growth ordered)
echo "nlohmann/json $version: 6,000 keys instead of 3,000 take $plain times the instructions as json, $ordered times as ordered_json"
awk -v plain="$plain" -v ordered="$ordered" 'BEGIN { exit !(plain < 2.5 && ordered > 3) }'
