"""A small disk for a database, which can be full; and a database that says so without one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

SMALL = 400  # megabytes


class Disk:
    """A small disk, which can be full; without the right to mount one, the database says so."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="five211-disk-"))
        self.folder.chmod(0o755)
        command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL}m,mode=0777", "five211"]
        self.real = os.getuid() == 0 and shutil.which("mount") is not None
        if self.real:
            done = subprocess.run([*command, str(self.folder)], check=False, capture_output=True)
            self.real = done.returncode == 0
        self._filler = self.folder / "filler"

    def fill(self) -> None:
        """To the last block."""
        with self._filler.open("ab", buffering=0) as file, suppress(OSError):
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while True:
                        file.write(b"\0" * size)

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def remove(self) -> None:
        if self.real:
            subprocess.run(["umount", "-l", str(self.folder)], check=False, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


# What a database does instead, if nothing may be mounted.
FULL = """
CREATE OR REPLACE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
"""
FILL = "CREATE TRIGGER is_full BEFORE INSERT ON log EXECUTE FUNCTION is_full()"
FREE = "DROP TRIGGER IF EXISTS is_full ON log"
