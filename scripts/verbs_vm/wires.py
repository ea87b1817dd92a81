# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The wires between virtual hosts. Two are joined by one socket pair, more by a switch process of their own per rail, so
# that the loss of any host leaves the others connected. Nothing touches the build machine's network.
import contextlib
import socket
import subprocess

from verbs_vm import qemu_command


class Wires(contextlib.ExitStack):
    """ends[host][rail] is the socket to hand to that host's QEMU."""

    def __init__(self, hosts, rails):
        super().__init__()
        self.ends = [[None] * rails for _ in range(hosts)]

    def __enter__(self):
        try:
            for rail in range(len(self.ends[0])):
                self.connect(rail)
        except BaseException:
            self.close()
            raise
        return super().__enter__()

    def pair(self):
        return [self.enter_context(contextlib.closing(end)) for end in socket.socketpair()]

    def connect(self, rail):
        if len(self.ends) > 2:
            self.start_switch(rail)
            return
        ends = self.pair()
        for host, end in enumerate(ends[:len(self.ends)]):
            self.ends[host][rail] = end
        for end in ends[len(self.ends):]:
            end.close()  # a single host's wire leads nowhere

    def start_switch(self, rail):
        ports = []
        for ends in self.ends:
            ends[rail], port = self.pair()
            ports.append(port)
        descriptors = [port.fileno() for port in ports]
        # A second rail's switch must not hold the first one's sockets open: pass_fds names all that it gets.
        switch = subprocess.Popen(qemu_command.switch_command(descriptors), pass_fds=descriptors,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.callback(switch.wait)
        self.callback(switch.kill)
        for port in ports:
            port.close()

    def release(self, host):
        """To be called when the host's QEMU has its ends: only then does its death close the wire."""
        for end in self.ends[host]:
            end.close()
