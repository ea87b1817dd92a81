// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Counters of the netdev below a RoCE port: the kernel's own, and those that the mlx5 driver reports by
// ethtool.
#include "harness/link/counter_table.hpp"

namespace assay::link {

namespace {

constexpr CounterFact ethernet_facts[] = {
    {CounterSource::netdev, "carrier_down_count", 32, Overflow::wraps, "events", LinkClass::faulty,
     "the Ethernet link went down"},
    {CounterSource::netdev, "rx_crc_errors", 64, Overflow::wraps, "frames", LinkClass::faulty,
     "frames with a wrong checksum"},
    {CounterSource::netdev, "rx_frame_errors", 64, Overflow::wraps, "frames", LinkClass::faulty,
     "frames with alignment errors"},
    {CounterSource::netdev, "rx_missed_errors", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames the device had no space for"},
    {CounterSource::netdev, "rx_fifo_errors", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames lost to a full receive queue"},
    {CounterSource::netdev, "rx_over_errors", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames lost to overrun"},
    {CounterSource::netdev, "tx_carrier_errors", 64, Overflow::wraps, "frames", LinkClass::faulty,
     "frames lost without a carrier"},
    {CounterSource::netdev, "rx_errors", 64, Overflow::wraps, "frames", LinkClass::clean,
     "sum of receive errors, all traffic"},
    {CounterSource::netdev, "tx_errors", 64, Overflow::wraps, "frames", LinkClass::clean,
     "sum of transmit errors, all traffic"},
    {CounterSource::netdev, "rx_dropped", 64, Overflow::wraps, "frames", LinkClass::clean,
     "not wanted by the kernel: other traffic, RDMA of NICs does not pass here"},
    {CounterSource::netdev, "tx_dropped", 64, Overflow::wraps, "frames", LinkClass::clean,
     "dropped by the kernel before sending"},
    {CounterSource::netdev, "rx_bytes", 64, Overflow::wraps, "bytes", LinkClass::clean,
     "received by the kernel"},
    {CounterSource::netdev, "tx_bytes", 64, Overflow::wraps, "bytes", LinkClass::clean, "sent by the kernel"},
    {CounterSource::ethtool, "link_down_events_phy", 64, Overflow::wraps, "events", LinkClass::faulty,
     "the Ethernet link went down"},
    {CounterSource::ethtool, "rx_crc_errors_phy", 64, Overflow::wraps, "frames", LinkClass::faulty,
     "frames with a wrong checksum"},
    {CounterSource::ethtool, "rx_symbol_err_phy", 64, Overflow::wraps, "events", LinkClass::faulty,
     "symbol errors; faulty above 1e-12"},
    {CounterSource::ethtool, "rx_pcs_symbol_err_phy", 64, Overflow::wraps, "events", LinkClass::faulty,
     "symbol errors that FEC did not correct; faulty above 1e-12"},
    {CounterSource::ethtool, "rx_corrected_bits_phy", 64, Overflow::wraps, "bits", LinkClass::clean,
     "corrected by FEC; over rx_bits_phy the error rate before FEC"},
    {CounterSource::ethtool, "rx_err_lane_*_phy", 64, Overflow::wraps, "bits", LinkClass::clean,
     "errors of one lane before FEC"},
    {CounterSource::ethtool, "rx_bits_phy", 64, Overflow::wraps, "bits", LinkClass::clean, "bits received"},
    {CounterSource::ethtool, "rx_bytes_phy", 64, Overflow::wraps, "bytes", LinkClass::clean,
     "received from the wire"},
    {CounterSource::ethtool, "tx_bytes_phy", 64, Overflow::wraps, "bytes", LinkClass::clean,
     "sent to the wire"},
    {CounterSource::ethtool, "rx_discards_phy", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames dropped at this port for lack of buffers"},
    {CounterSource::ethtool, "tx_discards_phy", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames dropped before sending"},
    {CounterSource::ethtool, "rx_prio*_discards", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames dropped: a lossless class has none"},
    {CounterSource::ethtool, "rx_prio*_cong_discard", 64, Overflow::wraps, "frames", LinkClass::lossy,
     "frames dropped by congestion"},
    {CounterSource::ethtool, "rx_prio*_pause", 64, Overflow::wraps, "frames", LinkClass::congested,
     "pause frames received: the peer asked to stop"},
    {CounterSource::ethtool, "tx_prio*_pause", 64, Overflow::wraps, "frames", LinkClass::congested,
     "pause frames sent: the switch was asked to stop"},
    {CounterSource::ethtool, "rx_prio*_pause_duration", 64, Overflow::wraps, "us", LinkClass::congested,
     "time stopped by the peer"},
    {CounterSource::ethtool, "tx_prio*_pause_duration", 64, Overflow::wraps, "us", LinkClass::congested,
     "time this port stopped the peer"},
    {CounterSource::ethtool, "rx_pause_ctrl_phy", 64, Overflow::wraps, "frames", LinkClass::congested,
     "link-wide pause frames received"},
    {CounterSource::ethtool, "tx_pause_ctrl_phy", 64, Overflow::wraps, "frames", LinkClass::congested,
     "link-wide pause frames sent"},
    {CounterSource::ethtool, "tx_pause_storm_warning_events", 64, Overflow::wraps, "events",
     LinkClass::congested, "long pause sent to the peer"},
    {CounterSource::ethtool, "tx_pause_storm_error_events", 64, Overflow::wraps, "events", LinkClass::faulty,
     "pause storm: the device stopped pausing"},
    {CounterSource::ethtool, "*x_pci_signal_integrity", 64, Overflow::wraps, "events", LinkClass::faulty,
     "errors on the PCIe link of the adapter"},
    {CounterSource::ethtool, "outbound_pci_stalled_*_events", 64, Overflow::wraps, "seconds",
     LinkClass::congested, "PCIe had no credits for the adapter for long"},
    {CounterSource::ethtool, "module_high_temp", 64, Overflow::wraps, "events", LinkClass::faulty,
     "the transceiver was too hot"},
    {CounterSource::ethtool, "module_bus_stuck", 64, Overflow::wraps, "events", LinkClass::faulty,
     "unreadable transceiver"},
};

}  // namespace

std::span<const CounterFact> ethernet_counter_facts() { return ethernet_facts; }

}  // namespace assay::link
