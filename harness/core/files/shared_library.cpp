// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/shared_library.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace assay::core {
namespace {

std::string loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gave no reason" : words;
}

const char* variable_or_nothing(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Folders that have a lib/python3.*: those of the python3 on the search path, the user's, the system's. All
/// are absolute: no library is taken from the current folder.
std::vector<std::string> python_prefixes() {
  std::vector<std::string> prefixes;
  std::istringstream path(variable_or_nothing("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    if (access((folder + "/python3").c_str(), X_OK) == 0) prefixes.push_back(folder + "/..");
  for (const char* more : {"/.local", "/usr/local", "/usr"})
    prefixes.push_back((more[1] == '.' ? variable_or_nothing("HOME") : std::string()) + more);
  std::erase_if(prefixes, [](const std::string& prefix) { return !prefix.starts_with('/'); });
  return prefixes;
}

void add_matching(std::vector<std::string>& names, const std::string& pattern) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i) names.emplace_back(found.gl_pathv[i]);
  globfree(&found);
}

/// The loader takes a name with a slash from the current folder, unless it is absolute.
const char* searched_absolutely(const std::string& name, ErrorKind kind) {
  if (!is_absolute_or_searched(name))
    throw Error(kind, name + ": expected an absolute path, or a name without '/'");
  return name.c_str();
}

}  // namespace

bool is_absolute_or_searched(const std::string& name) {
  return name.find('/') == std::string::npos || name.starts_with('/');
}

void SharedLibrary::Close::operator()(void* library) const noexcept { dlclose(library); }

SharedLibrary::SharedLibrary(const std::string& name, ErrorKind kind, AtEnd at_end)
    : kind_(kind),
      library_(dlopen(searched_absolutely(name, kind),
                      RTLD_NOW | RTLD_LOCAL | (at_end == AtEnd::stay ? RTLD_NODELETE : 0))) {
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
  std::vector<std::string> names{soname, "/usr/local/cuda/lib64/" + soname};
  // NVIDIA's wheels: nvidia/cublas and nvidia/nccl, since CUDA 13 nvidia/cu13.
  for (const std::string& prefix : python_prefixes())
    for (const char* packages : {"site-packages", "dist-packages"})
      add_matching(names, prefix + "/lib/python3*/" + packages + "/nvidia/*/lib/" + soname);
  return names;
}

}  // namespace assay::core
