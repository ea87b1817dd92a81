# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The protocol of a team's door a second time, written from docs/guide/clusters.md and the headers: for tests that play
# members, strangers and those who read along.
import hashlib
import hmac
import os
import socket
import struct

TYPES = ["hello", "refused", "welcome", "broadcast", "gather", "gathered", "arrive", "release", "lost", "announce", "pull",
         "hail", "challenge", "proof", "accepted", "turned away", "waits"]
NONCE_BYTES = MAC_BYTES = 32


def pack(*texts):
    texts = [text if isinstance(text, bytes) else str(text).encode() for text in texts]
    return b"".join(struct.pack(">I", len(text)) + text for text in texts)


def unpack(payload):
    texts = []
    while payload:
        size = struct.unpack(">I", payload[:4])[0]
        texts.append(payload[4:4 + size])
        payload = payload[4 + size:]
    return texts


def frame(kind, payload=b""):
    number = kind if isinstance(kind, int) else TYPES.index(kind) + 1
    return struct.pack(">IB", len(payload), number) + payload


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


class Door:
    """A connection to a listener. `source`: the local address to call from."""

    def __init__(self, port, key=b"", host="127.0.0.1", source=None, limit_s=10):
        self.key = key
        self.socket = socket.create_connection((host, port), limit_s, (source, 0) if source else None)
        self.sent = self.received = 0
        self.sending_key = self.receiving_key = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send_bytes(self, data):
        self.socket.sendall(data)

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError(f"closed after {len(data)} of {size} bytes")
            data += part
        return data

    def read_frame(self):
        size, number = struct.unpack(">IB", self._exactly(5))
        return TYPES[number - 1], self._exactly(size)

    def hail(self, purpose="lead", session="", from_rank=-1, to_rank=-1):
        self.hail_payload = pack("assay-door", "1", purpose, session, from_rank, to_rank, os.urandom(NONCE_BYTES))
        self.send_bytes(frame("hail", self.hail_payload))

    def take_challenge(self):
        kind, self.challenge_payload = self.read_frame()
        if kind != "challenge":
            raise PermissionError(f"{kind}: {unpack(self.challenge_payload)}")
        self.transcript = pack(self.hail_payload, self.challenge_payload)

    def secret_of(self, label):
        return mac(self.key, pack(label, self.transcript))

    def prove(self, label="caller"):
        self.send_bytes(frame("proof", self.secret_of(label)))

    def take_accepted(self):
        kind, payload = self.read_frame()
        if kind != "accepted":
            raise PermissionError(f"{kind}: {unpack(payload)}")
        if payload != self.secret_of("listener"):
            raise PermissionError("the listener did not prove the key")
        self.sending_key = self.secret_of("frames of the caller")
        self.receiving_key = self.secret_of("frames of the listener")

    def enter(self, **errand):
        self.hail(**errand)
        self.take_challenge()
        self.prove()
        self.take_accepted()
        return self

    def sealed(self, kind, payload=b"", number=None):
        if number is None:
            number, self.sent = self.sent, self.sent + 1
        numbered = struct.pack(">Q", number) + payload
        return frame(kind, numbered + mac(self.sending_key, numbered + bytes([TYPES.index(kind) + 1])))

    def read_sealed(self):
        kind, payload = self.read_frame()
        numbered, seal = payload[:-MAC_BYTES], payload[-MAC_BYTES:]
        if seal != mac(self.receiving_key, numbered + bytes([TYPES.index(kind) + 1])):
            raise PermissionError("a wrong seal")
        if numbered[:8] != struct.pack(">Q", self.received):
            raise PermissionError("a wrong number")
        self.received += 1
        return kind, numbered[8:]

    def is_closed(self, within_s=5):
        """True where the listener ends the connection within that time; what it says before is dropped."""
        self.socket.settimeout(within_s)
        try:
            while self.socket.recv(65536):
                pass
            return True
        except TimeoutError:
            return False
        except ConnectionError:
            return True
