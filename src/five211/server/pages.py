"""The page to play on: the files that were built into `page/`, from memory.

Only what lies in the folder when the server starts is served, each file at its own path, so that no
path can lead anywhere else. The page has many screens and one file: each screen's path answers it.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

FOLDER = Path(__file__).parent / "page"
STAMP = "stamp.txt"  # of which sources it was built, for the builder only
INDEX = "/index.html"
UNLIMITED = "unlimited"  # handlers with this option do not count as an address's requests

SCREENS = (
    "/",
    "/new",
    "/join",
    "/lobby",
    "/t/{table:str}",
    "/watch",
    "/tv",
    "/learn",
    "/rules",
    "/companion",
    "/game/{game:str}",
    "/settings",
    "/hotseat",
    "/me",
)

PROGRAMS = ("api", "socket")  # paths that no person looks at
ASSETS = "/assets/"  # their names change with what is in them
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
WORTH_IT = 0.9  # what is not smaller than this when compressed, is sent as it is

NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>five211</title>
<h1>five211</h1><p>The server is running, but the page to play on was not built. In a checkout,
<code>make play</code> builds it; the package that <code>pip install five211</code> installs has it.
Until then, play in the terminal: <code>five211 play</code>.</p></html>
"""


class Page(NamedTuple):
    """One file, ready to be sent."""

    body: bytes
    packed: bytes | None
    """The same in gzip, if that is worth it."""
    kind: str
    headers: dict[str, str]
    """All that a 304 carries, too."""


def page(path: str, body: bytes) -> Page:
    """A file that was read, as it will be sent from this path."""
    packed = gzip.compress(body, mtime=0)
    small = len(packed) < WORTH_IT * len(body)
    headers = {
        "cache-control": FOR_EVER if path.startswith(ASSETS) else ASK_AGAIN,
        "etag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"',
    }
    if small:
        headers["vary"] = "accept-encoding"
    kind = TYPES.get(Path(path).suffix, "application/octet-stream")
    return Page(body, packed if small else None, kind, headers)


@cache
def load(folder: Path) -> dict[str, Page]:
    """Every file of the page by its path; at least one that says that there is none."""
    found = {
        f"/{file.relative_to(folder).as_posix()}": file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file != folder / STAMP
    }
    pages = {path: page(path, file.read_bytes()) for path, file in found.items()}
    return pages if INDEX in pages else {INDEX: page(INDEX, NOT_BUILT)}


def handlers(folder: Path) -> tuple[HTTPRouteHandler, ...]:
    """What serves the page in this folder."""
    pages = load(folder)

    async def screen(request: Request[Any, Any, Any]) -> Response[bytes]:
        return answer(request, pages[INDEX])

    async def file(request: Request[Any, Any, Any]) -> Response[bytes]:
        return answer(request, pages[request.scope["path"]])  # the router has tidied it

    return _handler(SCREENS)(screen), _handler(pages)(file)


def lost(request: Request[Any, Any, Any]) -> Response[bytes] | None:
    """For a person whose address leads nowhere: the page, which says so in their language."""
    looks = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not looks or request.scope["path"].strip("/").split("/")[0] in PROGRAMS:
        return None
    found = load(FOLDER)[INDEX]
    return Response(found.body, status_code=404, headers={"content-type": found.kind})


def _handler(paths: Iterable[str]) -> HTTPRouteHandler:
    return HTTPRouteHandler(
        list(paths), http_method=["GET", "HEAD"], include_in_schema=False, opt={UNLIMITED: True}
    )


def answer(request: Request[Any, Any, Any], page: Page) -> Response[bytes]:
    """The file, packed if that was asked for; or that it has not changed."""
    if _listed(request.headers.get("if-none-match", ""), page.headers["etag"]):
        return Response(b"", status_code=304, headers=page.headers)
    if page.packed is not None and _takes_gzip(request.headers.get("accept-encoding", "")):
        headers = {**page.headers, "content-type": page.kind, "content-encoding": "gzip"}
        return Response(page.packed, headers=headers)
    return Response(page.body, headers={**page.headers, "content-type": page.kind})


def _listed(tags: str, tag: str) -> bool:
    """Whether an If-None-Match has this tag; a proxy that packs may have made it strong."""
    return any(one.strip().removeprefix("W/") == tag.removeprefix("W/") for one in tags.split(","))


def _takes_gzip(accepted: str) -> bool:
    for one in accepted.lower().split(","):
        name, *more = (part.strip() for part in one.split(";"))
        if name == "gzip":
            return not any(part.startswith("q=") and not part.strip("q=0.") for part in more)
    return False
