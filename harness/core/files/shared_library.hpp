// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library opened at run time, so that a node's own version is measured and a program starts on a node
// without one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::core {

/// False for a path of the current folder: a name with '/' that does not begin with it.
bool is_absolute_or_searched(const std::string& name);

class SharedLibrary {
 public:
  enum class AtEnd {
    close,
    stay,  // its own threads may still run when the process ends: its code must then still be there
  };

  /// Throws Error of this kind, in the loader's words.
  SharedLibrary(const std::string& name, ErrorKind kind, AtEnd at_end = AtEnd::close);

  /// Throws likewise where the library lacks it.
  template <class Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
  }
  /// A null pointer where the library lacks it.
  template <class Function>
  void find_if_there(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol_if_there(name));
  }

 private:
  struct Close {
    void operator()(void* library) const noexcept;
  };
  void* symbol(const char* name) const;
  void* symbol_if_there(const char* name) const;

  ErrorKind kind_;
  std::unique_ptr<void, Close> library_;
};

/// Names under which a CUDA library may be found: the file that the environment's `variable` names, else
/// `soname` as the loader finds it, in /usr/local/cuda, and in the packages of Python environments.
std::vector<std::string> cuda_library_names(const char* variable, const std::string& soname);

/// The library that open_first() opened, or why it opened none.
template <class Library>
struct FirstOpened {
  std::unique_ptr<Library> library;
  std::string why_not;  // of the first name
};

/// The first of the names that Library(name) accepts.
template <class Library>
FirstOpened<Library> open_first(const std::vector<std::string>& names) {
  FirstOpened<Library> result;
  for (const std::string& name : names) {
    try {
      result.library = std::make_unique<Library>(name);
      return result;
    } catch (const Error& error) {
      if (result.why_not.empty()) result.why_not = error.what();
    }
  }
  return result;
}

}  // namespace assay::core
