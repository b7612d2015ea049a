"""The page to play on: which files are served where, and what their answers say."""

from __future__ import annotations

import asyncio
import gzip
import http.client
from pathlib import Path

import httpx
import pytest

from five211.server import pages
from five211.server.gate import HEADERS
from tests.server.helpers import Hall, code_of, hall, on_a_loop

INDEX = "<!doctype html><title>the page</title>" + "<p>5211</p>" * 50
SCRIPT = "console.log('5211');\n" * 50
NOISE = bytes((n * n * 7919 >> 3) % 256 for n in range(400))  # like an image: no smaller packed
FILES: dict[str, bytes] = {
    "index.html": INDEX.encode(),
    "stamp.txt": b"of the builder",
    "sw.js": SCRIPT.encode(),
    "manifest.webmanifest": b'{"name": "five211"}',
    "icons/icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "icons/icon.png": b"\x89PNG" + NOISE,
    "assets/index-B1a2c3d4.js": SCRIPT.encode(),
    "assets/index-B1a2c3d4.css": b"p { color: green }\n" * 50,
    "assets/card-B1a2c3d4.woff2": NOISE,
    "strange": b"?",
}
ASSET = "/assets/index-B1a2c3d4.js"
SCREENS = [path.replace("{table:str}", "x7").replace("{game:str}", "g5") for path in pages.SCREENS]
PLAIN = {"accept-encoding": "identity"}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page, as the builder leaves it."""
    folder = tmp_path / "page"
    for name, body in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)
    monkeypatch.setattr(pages, "FOLDER", folder)
    return folder


def guarded(answer: httpx.Response) -> bool:
    """Whether it has the gate's headers, each once; it says itself how long it is kept."""
    kept = answer.headers.get_list("cache-control")
    return len(kept) == 1 and all(
        answer.headers.get_list(name.decode()) == [value.decode()]
        for name, value in HEADERS
        if name != b"cache-control"
    )


async def paths_that_lead_nowhere(one: Hall, *paths: str) -> None:
    """Just as they are: httpx would tidy some of them up."""
    host, port = one.url.removeprefix("http://").split(":")

    def ask(path: str, accept: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        try:
            connection.request("GET", path, headers={"accept": accept})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    for path in paths:
        status, body = await asyncio.to_thread(ask, path, "*/*")
        assert status in (400, 404), path
        assert b"error" in body or status == 400, path
        status, _ = await asyncio.to_thread(ask, path, "text/html")
        assert status in (400, 404), path


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_every_screen_is_the_one_page(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for path in [*SCREENS, "/new/", "/t/x7/", "/?x=1", "/index.html", "/index.html/"]:
            answer = await one.send("GET", path)
            assert (answer.status_code, answer.text) == (200, INDEX), path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-cache"
            assert guarded(answer)


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_a_file_has_its_type_and_says_how_long_it_is_kept(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for path, kind, kept in (
            ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
            ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
            ("/icons/icon.svg", "image/svg+xml", "no-cache"),
            ("/icons/icon.png", "image/png", "no-cache"),
            ("/strange", "application/octet-stream", "no-cache"),
            (ASSET, "text/javascript; charset=utf-8", pages.FOR_EVER),
            ("/assets/index-B1a2c3d4.css", "text/css; charset=utf-8", pages.FOR_EVER),
            ("/assets/card-B1a2c3d4.woff2", "font/woff2", pages.FOR_EVER),
        ):
            for headers in (PLAIN, {"accept-encoding": "gzip"}):
                answer = await one.send("GET", path, headers=headers)
                assert (answer.status_code, answer.content) == (200, FILES[path[1:]])
                assert answer.headers.get_list("content-type") == [kind]
                assert answer.headers.get_list("cache-control") == [kept]
                assert guarded(answer)


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_gzip_goes_to_whoever_takes_it_if_it_is_smaller(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for accepted, packed in (
            ("gzip, deflate, br", True),
            ("br;q=1.0, GZIP;q=0.8", True),
            ("gzip;q=1", True),
            ("gzip;q=0", False),
            ("gzip; q=0.000, *", False),
            ("br", False),
            ("", False),
        ):
            async with one._client.stream("GET", ASSET, headers={"accept-encoding": accepted}) as a:
                raw = b"".join([part async for part in a.aiter_raw()])
            assert a.headers["vary"] == "accept-encoding"
            assert (a.headers.get("content-encoding") == "gzip") is packed, accepted
            assert int(a.headers["content-length"]) == len(raw)
            assert (gzip.decompress(raw) if packed else raw) == SCRIPT.encode()
            assert (len(raw) < 200) is packed
        answer = await one.send("GET", "/icons/icon.png", headers={"accept-encoding": "gzip"})
        assert not {"content-encoding", "vary"} & set(answer.headers)


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_what_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        first = await one.send("GET", "/new")
        tag = first.headers["etag"]
        assert tag == (await one.send("GET", "/new", headers=PLAIN)).headers["etag"]
        assert tag != (await one.send("GET", "/sw.js")).headers["etag"]
        for asked in (tag, tag.removeprefix("W/"), f'"x", {tag}'):
            answer = await one.send("GET", "/", headers={"if-none-match": asked})
            assert (answer.status_code, answer.content) == (304, b"")
            for name in ("etag", "cache-control", "vary"):
                assert answer.headers[name] == first.headers[name]
            assert "content-encoding" not in answer.headers
            assert guarded(answer)
        for asked in ('"x"', "", tag[:-2] + '"'):
            answer = await one.send("GET", "/", headers={"if-none-match": asked})
            assert (answer.status_code, answer.text) == (200, INDEX)


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_head_is_get_without_a_body(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for path in ("/", "/t/x7", ASSET, "/icons/icon.png"):
            for headers in (PLAIN, {"accept-encoding": "gzip"}):
                get = await one.send("GET", path, headers=headers)
                head = await one.send("HEAD", path, headers=headers)
                assert (head.status_code, head.content) == (200, b"")
                assert dict(head.headers, date="") == dict(get.headers, date="")
        tag = {"if-none-match": get.headers["etag"]}
        assert (await one.send("HEAD", "/icons/icon.png", headers=tag)).status_code == 304


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_any_other_path_is_not_found_in_the_usual_form(tmp_path: Path) -> None:
    async with hall(tmp_path) as one:
        for path in (
            "/nowhere",
            "/stamp.txt",
            "/assets",
            "/assets/",
            "/assets/other.js",
            "/t",
            "/t/",
            "/t/x/y",
            "/news",
            "/api",
            "/api/nowhere",
        ):
            answer = await one.send("GET", path)
            assert answer.status_code == 404, path
            assert code_of(answer) == "not_found"
        for path in ("/", "/new", "/sw.js"):
            answer = await one.send("POST", path)
            assert (answer.status_code, code_of(answer)) == (405, "not_found")


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_a_person_who_is_lost_sees_the_page(tmp_path: Path) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    async with hall(tmp_path) as one:
        for path in ("/nowhere", "/t", "/t/x/y", "/assets/other.js", "/apis"):
            answer = await one.send("GET", path, headers=browser)
            assert (answer.status_code, answer.text) == (404, INDEX), path
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-store"
            assert (await one.send("HEAD", path, headers=browser)).content == b""
        for method, path in (("GET", "/api"), ("GET", "/api/nowhere"), ("POST", "/nowhere")):
            answer = await one.send(method, path, headers=browser)
            assert (answer.status_code, code_of(answer)) == (404, "not_found"), path


@on_a_loop
async def test_no_path_leads_out_of_the_folder(tmp_path: Path, built: Path) -> None:
    (tmp_path / "secret.txt").write_text("hidden")
    inside = built.relative_to(tmp_path).as_posix()
    async with hall(tmp_path) as one:
        await paths_that_lead_nowhere(
            one,
            "/../secret.txt",
            "/assets/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/%2e%2e/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/..%5csecret.txt",
            "/assets/..%00/secret.txt",
            f"/{inside}/index.html",
            f"/{tmp_path}/secret.txt",
            "/./sw.js",
            "/SW.JS",
            "/sw.js%00",
            "*",
        )


@on_a_loop
async def test_a_page_that_was_not_built_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = tmp_path / "half"
    half.mkdir()
    (half / "sw.js").write_text("")
    for folder in (tmp_path / "nowhere", half):
        monkeypatch.setattr(pages, "FOLDER", folder)
        async with hall(tmp_path) as one:
            for path in SCREENS:
                answer = await one.send("GET", path)
                assert answer.status_code == 200
                assert "make play" in answer.text
                assert "pip install five211" in answer.text
                assert answer.headers["content-type"] == "text/html; charset=utf-8"
                assert guarded(answer)
            assert (await one.send("GET", "/sw.js")).status_code == 404


@pytest.mark.usefixtures("built")
@on_a_loop
async def test_the_page_does_not_count_as_requests(tmp_path: Path) -> None:
    async with hall(tmp_path, requests_a_minute=2) as one:
        for _ in range(2):
            for path in [*SCREENS, *("/" + name for name in FILES if name != "stamp.txt")]:
                answer = await one.send("GET", path)
                assert answer.status_code == 200
                assert not [name for name in answer.headers if name.startswith("ratelimit")]
        statuses = [(await one.send("GET", "/api/about")).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert (await one.send("GET", "/")).status_code == 200


def test_the_page_in_this_checkout_is_whole_if_it_was_built() -> None:
    loaded = pages.load(pages.FOLDER)
    assert f"/{pages.STAMP}" not in loaded
    index = loaded[pages.INDEX].body
    assert b"<script>" not in index  # the gate's policy would not let it run
    assert b"<style" not in index
