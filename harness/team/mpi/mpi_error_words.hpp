// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An MPI error in MPI's own words. Only for plug-ins: it calls MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>

namespace assay::team {

/// As MpiCalls::describe: fills `text`, of `capacity` characters, with the words and a final 0.
inline void mpi_error_words(int code, char* text, int capacity) {
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int length = 0;
  MPI_Error_string(code, words.data(), &length);
  const int shown = std::min(length, capacity - 1);
  std::copy_n(words.begin(), shown, text);
  text[shown] = '\0';
}

}  // namespace assay::team
