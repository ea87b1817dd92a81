#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The charts' packages are fetched from a registry on loopback by node alone, and what is not what the lock file names is refused.
import base64
import hashlib
import http.server
import io
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "fetch_packages.mjs"
HERE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def archive(text):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as tar:
        member = tarfile.TarInfo("package/index.js")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text.encode()))
    return held.getvalue()


def integrity_of(packed):
    return "sha512-" + base64.b64encode(hashlib.sha512(packed).digest()).decode()


class Registry(http.server.BaseHTTPRequestHandler):
    answers = {}  # path: body, or a redirection's path, or how many times to break off before the body
    asked = []

    def do_GET(self):
        Registry.asked.append(self.path)
        answer = self.answers.get(self.path)
        if isinstance(answer, list) and answer[0] > 0:
            answer[0] -= 1
            self.close_connection = True
            return
        body = answer[1] if isinstance(answer, list) else answer
        if body is None:
            self.send_error(404)
            return
        self.send_response(302 if isinstance(body, str) else 200)
        if isinstance(body, str):
            self.send_header("Location", body)
        self.end_headers()
        self.wfile.write(b"" if isinstance(body, str) else body)

    def log_message(self, *_):
        pass


class FetchPackages(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        Registry.answers, Registry.asked = {}, []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever).start()
        self.address = f"http://127.0.0.1:{server.server_port}"
        self.packages = {"": {"name": "the report"}}

    def offer(self, name, text="export {}", integrity=None, **about):
        packed = archive(text)
        Registry.answers[f"/{name}/-/{name.split('/')[-1]}-1.2.3.tgz"] = packed
        self.packages[f"node_modules/{name}"] = {"version": "1.2.3", "integrity": integrity or integrity_of(packed), **about}

    def fetch(self):
        lock = self.folder / "lock.json"
        lock.write_text(json.dumps({"lockfileVersion": 3, "packages": self.packages}))
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "npm_config_registry": self.address + "/"}
        return subprocess.run(["node", str(SCRIPT), str(lock), str(self.folder / "work")], env=environment, text=True,
                              capture_output=True, check=False)

    def held(self, name):
        file = self.folder / "work" / "node_modules" / name / "index.js"
        return file.read_text() if file.exists() else None

    def test_packages_of_this_machine_are_unpacked_and_listed(self):
        self.offer("plot", "plots")
        self.offer("@scope/part", "a part", os=["linux"], cpu=[HERE])
        self.offer("@scope/elsewhere", os=["aix"])
        done = self.fetch()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.held("plot"), self.held("@scope/part"), self.held("@scope/elsewhere")), ("plots", "a part", None))
        listed = json.loads((self.folder / "work" / "node_modules" / ".package-lock.json").read_text())
        self.assertEqual(sorted(listed["packages"]), ["node_modules/@scope/part", "node_modules/plot"])

    def test_another_content_than_the_lock_names_is_refused(self):
        self.offer("plot", integrity=integrity_of(b"what was meant"))
        done = self.fetch()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"^{self.address}/plot/-/plot-1\.2\.3\.tgz: expected sha512-\S+, got sha512-\S+\n$")
        self.assertIsNone(self.held("plot"))

    def test_a_package_that_the_registry_does_not_have_is_named(self):
        self.offer("plot")
        Registry.answers.clear()
        done = self.fetch()
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"{self.address}/plot/-/plot-1.2.3.tgz: the server answered 404\n"))

    def test_redirections_are_followed_and_broken_connections_tried_again(self):
        self.offer("plot", "moved")
        path = "/plot/-/plot-1.2.3.tgz"
        Registry.answers["/moved"] = [2, Registry.answers[path]]
        Registry.answers[path] = "/moved"
        self.assertEqual(self.fetch().stderr, "")
        self.assertEqual(self.held("plot"), "moved")
        self.assertEqual(Registry.asked.count("/moved"), 3)


if not shutil.which("node"):
    print("skipped: node is not installed (scripts/setup --for charts)")
    sys.exit(77)
unittest.main()
