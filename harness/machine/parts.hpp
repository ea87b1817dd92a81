// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of look(). Each reads one corner of the machine and notes what it could not read and what that
// costs; none throws for an absent file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/machine/tree.hpp"

namespace assay::machine {

using Notes = std::vector<std::string>;

Cpu read_cpu(const Tree& tree, const std::vector<int>& cpus, Notes& notes);
std::vector<Cache> read_caches(const Tree& tree, const std::vector<int>& cpus, Notes& notes);
std::vector<Cache> caches_from_hwloc();
std::vector<NumaNode> read_numa(const Tree& tree, const std::vector<int>& cpus);
/// Notes where the nodes' memory and the machine's differ: sizes per node are then not to be trusted.
void note_node_memory(Machine& machine);
Memory read_memory(const Tree& tree, Notes& notes);
Inventory read_inventory(const Tree& tree, Notes& notes);

/// The link of the device at `address`. Its best is what both it and the port above it can do.
PcieLink read_link(const Tree& tree, const std::string& address);
/// Bridges above `links`, one of each switch, in order of address.
std::vector<PcieLink> read_switches(const Tree& tree, const std::vector<PcieLink>& links);
/// Addresses of PCI devices of `vendor` whose class begins with one of `classes` ("0x0302").
std::vector<std::string> pci_devices(const Tree& tree, const std::string& vendor,
                                     const std::vector<std::string>& classes);

/// Addresses of GPUs that the bus shows and the driver does not list: unused, bound to another driver, or
/// fallen off.
std::vector<std::string> unlisted_gpus(const Tree& tree, const std::vector<Gpu>& gpus);
std::vector<Gpu> read_gpus(const Tree& tree, const Nvml& nvml, std::string& unavailable, Notes& notes);
/// Addresses of adapters that can do RDMA, whether or not a driver serves them.
std::vector<std::string> adapters_on_the_bus(const Tree& tree);
std::vector<Hca> read_hcas(const Tree& tree, Notes& notes);
std::vector<Distance> read_distances(const Machine& machine);
/// Fills in the nearest GPUs of each HCA, from machine.distances.
void find_nearest_gpus(Machine& machine);
/// The version of the NVIDIA driver that is loaded, as /proc/driver/nvidia/version reports it; "": unknown.
std::string loaded_driver(const Tree& tree);
std::vector<Version> read_versions(const Tree& tree, const Nvml& nvml, const Machine& machine);

/// "none" on bare metal, else the hypervisor, and whether this is a container.
std::string read_virtualization(const Tree& tree);
void read_host(const Tree& tree, Machine& machine);

/// The value of "name : value" or "name=value" in a file of such lines.
std::optional<std::string> value_in_lines(const std::string& text, const std::string& name, char separator);

}  // namespace assay::machine
