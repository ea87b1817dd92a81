# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The ways a run can end that are not the guest's own exit status, each with its exit status.
INTERRUPTED = 130
OUTPUT_CLOSED = 141


class Stopped(Exception):
    """Ends verbs-vm with one line and a status."""

    status = 1
    prefix = "verbs-vm: "


class UsageError(Stopped):
    status = 2


class Unavailable(Stopped):
    """Virtual hosts cannot run here; ctest shows the line as the reason of a skipped test."""

    status = 77
    prefix = "skipped: verbs-vm: "


class TimeLimit(Stopped):
    status = 124


class MachineError(Stopped):
    """A virtual host did not boot, could not be set up, or died."""

    status = 125


class NotReady(MachineError):
    """No command has run yet: the hosts can be started again."""
