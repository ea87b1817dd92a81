// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of the window, buffer and pause threshold that a link needs. Bytes, us, bytes/us.
#pragma once

#include <span>

namespace assay::model::fabric {

/// Receiver-driven admission: a chunk travels after its clear-to-send, so that a window's bytes are under way
/// for a round trip and the wait for that permission (Gangidi et al. 2024, "RDMA over Ethernet for
/// distributed AI training at Meta scale"; by way of summaries).
struct Admission {
  double round_trip_us = 0;
  double wait_us = 0;
};
/// The least window at which a sender reaches `bytes_per_us`.
double window_for_full_rate(double bytes_per_us, Admission admission);
/// min(bytes_per_us, window / (round trip + wait)).
double rate_under_window(double window_bytes, double bytes_per_us, Admission admission);

/// The queue before a receiver of `bytes_per_us` while each sender has as much in flight as it may: its
/// window or its message, whichever is less. At least 0.
double incast_queue_bytes(std::span<const double> in_flight_bytes, double bytes_per_us, double round_trip_us);
/// The queue spread evenly over input ports stays below XOFF.
bool incast_without_pause(double queue_bytes, int input_ports, double pause_above_bytes);

/// On the wire: 4,096 bytes in RoCEv2 over IPv4, with preamble and gap.
double largest_packet_bytes();

/// A link on which priority flow control pauses.
struct PausedLink {
  double gbit_per_s = 400;  // on the wire: 10, 40, 100 or 400
  double metres = 0;
  double far_packet_bytes = 0,
         near_packet_bytes = 0;  // largest on the wire: of the paused end and of this one
};
/// Whether headroom_bytes() is known at this speed.
bool response_time_is_known(double gbit_per_s);
/// The bytes that a port and priority must keep free above XOFF, for what still arrives after a pause is
/// sent: the cable both ways, the far end's response time, a packet of either end that has begun, and the
/// pause frame of 64 bytes. Response times are those of IEEE 802.3, by way of summaries: 30,720 bits at 10
/// Gbit/s, 60,416 at 40, 201,728 at 100, 463,360 at 400. Throws a usage Error for another speed.
double headroom_bytes(const PausedLink& link);
/// The least XON: with less in the buffer when it resumes, the link runs dry before bytes arrive again.
double least_resume_bytes(const PausedLink& link);

/// How long one pause lasts: from XOFF down to XON at the rate that the port drains with, and the way back.
/// Infinity where it does not drain. Derived here.
double pause_us(double pause_above_bytes, double resume_below_bytes, double drain_bytes_per_us,
                double round_trip_us);
/// A switch's watchdog takes a longer pause for a deadlock (value from summaries).
inline constexpr double watchdog_us = 200000;

/// XOFF of each input port of a switch whose ports share `buffer_bytes`: alpha times what is free, while each
/// port holds that or, if less, its `potential` (Choudhury and Hahne 1998, "Dynamic queue length thresholds
/// for shared-memory packet switches"). Throws a usage Error for alpha or a buffer not above 0.
double shared_threshold(double alpha, double buffer_bytes, std::span<const double> potentials);

}  // namespace assay::model::fabric
