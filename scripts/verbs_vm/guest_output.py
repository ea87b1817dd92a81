# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A guest's output on its way to ours: lines may get the host's name in front, and the end mark says that all has come.


class GuestOutput:
    def __init__(self, sink, end_mark, prefix=b""):
        """sink: a binary stream. end_mark: bytes that the guest writes last. prefix: put before each line, if any."""
        self.sink_ = sink
        self.end_mark_ = end_mark
        self.prefix_ = prefix
        self.held_ = b""
        self.has_ended = False

    def feed(self, data):
        if self.has_ended:
            return
        text, mark, rest = (self.held_ + data).partition(self.end_mark_)
        self.has_ended = bool(mark)
        self.held_ = b"" if mark else self.unfinished(text)
        self.write(text[:len(text) - len(self.held_)])

    def flush(self):
        """Writes what is held: the guest is gone, and neither line end nor end mark will come."""
        held, self.held_ = self.held_, b""
        self.write(held)

    def unfinished(self, text):
        """The end of text that must wait: an open line where lines get a prefix, or a beginning of the end mark."""
        if self.prefix_:
            return text[text.rfind(b"\n") + 1:]
        for length in range(min(len(text), len(self.end_mark_) - 1), 0, -1):
            if text.endswith(self.end_mark_[:length]):
                return text[-length:]
        return b""

    def write(self, text):
        if text and self.prefix_:
            lines = text.removesuffix(b"\n").split(b"\n")
            text = b"".join(self.prefix_ + line + b"\n" for line in lines)
        self.sink_.write(text)
        self.sink_.flush()
