// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Machines made of small files in a temporary directory, for look(root).
#pragma once

#include <filesystem>
#include <string>

namespace assay::machine {

class FakeNode {
 public:
  FakeNode();
  ~FakeNode();
  FakeNode(const FakeNode&) = delete;
  FakeNode& operator=(const FakeNode&) = delete;

  std::string root() const { return root_.string(); }
  void write(const std::string& path, const std::string& text);
  void link(const std::string& path, const std::string& target);
  void remove(const std::string& path);
  /// A directory where a file belongs: opening it works, reading it fails, for root as well.
  void make_unreadable(const std::string& path);

 private:
  std::filesystem::path root_;
};

/// Two sockets of two cores with two threads each, one NUMA node a socket, no GPU, no HCA.
void build_two_sockets(FakeNode& node);

/// Adds eight GPUs and eight HCAs, four of each a socket, each pair below a switch of its own, except that
///   GPU 3 and mlx5_3 have a second switch between them (PXB), GPU 6 and mlx5_6 a root port each (PHB);
///   GPU 5 trained with 8 of 16 lanes, mlx5_2 at 16 of 32 GT/s, the switch above GPU 1 at 8 of 32 GT/s;
///   mlx5_0 to mlx5_3 are InfiniBand, the others Ethernet; mlx5_7 is down.
void build_gpus_and_hcas(FakeNode& node);

/// The PCI address of GPU `index` of build_gpus_and_hcas: 0000:13:00.0, 0000:23:00.0, ...
std::string gpu_address(int index);
std::string hca_address(int index);

}  // namespace assay::machine
