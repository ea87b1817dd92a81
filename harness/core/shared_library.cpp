// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/shared_library.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace assay::core {
namespace {

std::string loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gave no reason" : words;
}

}  // namespace

void SharedLibrary::Close::operator()(void* library) const noexcept { dlclose(library); }

SharedLibrary::SharedLibrary(const std::string& name, ErrorKind kind, AtEnd at_end)
    : kind_(kind),
      library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | (at_end == AtEnd::stay ? RTLD_NODELETE : 0))) {
  if (!library_) throw Error(kind_, loader_words());
}

void* SharedLibrary::symbol_if_there(const char* name) const { return dlsym(library_.get(), name); }

void* SharedLibrary::symbol(const char* name) const {
  void* found = symbol_if_there(name);
  if (found == nullptr) throw Error(kind_, loader_words());
  return found;
}

std::vector<std::string> cuda_library_names(const char* variable, const std::string& soname) {
  if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') return {chosen};
  return {soname, "/usr/local/cuda/lib64/" + soname};
}

}  // namespace assay::core
