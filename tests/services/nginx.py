"""A real nginx of the tests' own, with the file that operators are given: deploy/nginx.conf.

Paths and ports in it are replaced by the tests' own, and it runs as whoever runs the tests. Its
certificate is made for it. What it says over TLS it says at one more port without, for clients of
tests that are not about TLS.
"""

from __future__ import annotations

import getpass
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port

CONFIGURATION = Path(__file__).parent.parent.parent / "deploy" / "nginx.conf"
PORTS = (5211, 5212, 5213)  # of the processes in that file
KEPT = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


NAME = "5211.example.org"
LIMITS = {"proxy_read_timeout 20s;": 1, "proxy_read_timeout 30s;": 3}
"""Until a process is taken to be stuck, and that for a test that would wait for it."""


class Nginx:
    """One server, before processes at these ports."""

    def __init__(self, ports: Sequence[int], impatient: bool = False) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="five211-nginx-"))
        self.port, self._http, self._https = free_port(), free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.http = f"http://127.0.0.1:{self._http}"
        """What is port 80."""
        self.https = f"https://127.0.0.1:{self._https}"
        """What is port 443."""
        self.web = self._folder / "html"
        self.certificate = self._folder / "fullchain.pem"
        self._make_certificate()
        self._file = self._folder / "nginx.conf"
        self._file.write_text(self._text(ports, impatient))
        self._process: subprocess.Popen[bytes] | None = None

    def _make_certificate(self) -> None:
        program = shutil.which("openssl")
        assert program, "These tests need openssl. On Debian: apt-get install openssl"
        names = f"subjectAltName=DNS:{NAME},IP:127.0.0.1"
        files = ["-out", str(self.certificate), "-keyout", str(self._folder / "privkey.pem")]
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        command = [program, "req", "-x509", *kind, "-subj", f"/CN={NAME}", "-addext", names, *files]
        subprocess.run(command, check=True, capture_output=True)

    def _text(self, ports: Sequence[int], impatient: bool) -> str:
        """The operators' file, with what is the tests' own."""
        own = "".join(f"    {one}_temp_path {self._folder}/{one};\n" for one in KEPT)
        changes = {
            "user www-data;": f"user {getpass.getuser()};",
            "pid /run/nginx.pid;": f"pid {self._folder}/pid;",
            "error_log /var/log/nginx/error.log ": f"error_log {self._folder}/log ",
            "http {\n": f"http {{\n{own}",
            "listen 80;": f"listen 127.0.0.1:{self._http};",
            "listen 443 ssl;": f"listen 127.0.0.1:{self._https} ssl; listen 127.0.0.1:{self.port};",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(self.certificate),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": f"{self._folder}/privkey.pem",
            "root /var/www/html;": f"root {self.web};",
        }
        for limit, seconds in LIMITS.items():
            changes[limit] = f"proxy_read_timeout {seconds}s;" if impatient else limit
        for there, here in zip(PORTS, ports, strict=True):
            changes[f"server 127.0.0.1:{there} "] = f"server 127.0.0.1:{here} "
        text = CONFIGURATION.read_text()
        for old, new in changes.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return re.sub(r"(?m)^worker_rlimit_nofile .*\n", "", text)  # for root only

    def start(self) -> None:
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        assert program, "These tests need nginx. On Debian: apt-get install nginx"
        command = [program, "-p", str(self._folder), "-c", str(self._file), "-g", "daemon off;"]
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=output, start_new_session=True
            )
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5):
                return True
        except OSError:
            return False

    @property
    def log(self) -> str:
        files = (self._folder / name for name in ("output", "log"))
        return "".join(file.read_text() for file in files if file.exists())

    def stop(self) -> None:
        """Hang up on everybody, and end."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def nginx(ports: Sequence[int], impatient: bool = False) -> Iterator[Nginx]:
    """A server that runs."""
    server = Nginx(ports, impatient)
    try:
        server.start()
        yield server
    finally:
        server.remove()
