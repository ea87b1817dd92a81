# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# QEMU's machine protocol (QMP) over a connected socket: one command at a time, answered before it returns.
import json

from verbs_vm.outcome import MachineError

ANSWER_LIMIT_S = 10


class Monitor:
    def __init__(self, connection):
        connection.settimeout(ANSWER_LIMIT_S)
        self.stream_ = connection.makefile("rwb")
        self.is_open_ = False

    def close(self):
        self.stream_.close()

    def execute(self, command, **arguments):
        if not self.is_open_:
            self.is_open_ = True
            self.answer("QMP")
            self.execute("qmp_capabilities")
        self.stream_.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        self.stream_.flush()
        return self.answer("return")

    def answer(self, key):
        """The next message with this key; events are skipped. MachineError if QEMU refuses or is silent."""
        try:
            for line in self.stream_:
                message = json.loads(line)
                if "error" in message:
                    raise MachineError(f"QEMU refused: {message['error']['desc']}")
                if key in message:
                    return message[key]
        except OSError as error:
            raise MachineError(f"QEMU's monitor does not answer: {error}") from None
        raise MachineError("QEMU closed its monitor")
