"""/docs: every HTTP call on one plain page, without a script and without another host.

The page is made from the OpenAPI description, which is at /docs/openapi.json for programs.
"""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request
from litestar.enums import MediaType
from litestar.openapi.plugins import OpenAPIRenderPlugin


class PlainDocs(OpenAPIRenderPlugin):
    """The page, for Litestar."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type=MediaType.HTML)

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # noqa: ARG002
        """The whole page."""
        calls = [
            _call(path, method, operation)
            for path, methods in openapi_schema["paths"].items()
            for method, operation in methods.items()
        ]
        shapes = [_shape(*one) for one in openapi_schema["components"]["schemas"].items()]
        return "\n".join([HEAD, *calls, "<h2>Shapes</h2>", *shapes, "</html>"]).encode()


HEAD = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>five211: HTTP</title>
<h1>five211: HTTP</h1>
<p>For programs: <a href="/docs/openapi.json">openapi.json</a>. Playing itself goes over the socket,
see docs/protocol.md.</p>
<h2>Calls</h2>"""


def _call(path: str, method: str, operation: dict[str, Any]) -> str:
    takes = [f"{one['name']} ({one['in']})" for one in operation.get("parameters", [])]
    takes += [_name(body) for body in operation.get("requestBody", {}).get("content", {}).values()]
    gives = [
        f"{status} {', '.join(_name(body) for body in answer.get('content', {}).values())}"
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    ]
    return (
        f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
        f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
        f"<p>Takes: {escape(', '.join(takes) or 'nothing')}. Gives: {escape(', '.join(gives))}.</p>"
    )


def _name(body: dict[str, Any]) -> str:
    """The shape of a body, by its name where it has one."""
    reference = body.get("schema", {}).get("$ref", "")
    return reference.rsplit("/", 1)[-1] or "JSON"


def _shape(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", ())
    fields = [
        f"<dt><code>{escape(field)}</code>{' (needed)' if field in needed else ''}</dt>"
        f"<dd>{escape(kind.get('description') or str(kind.get('type', 'see openapi.json')))}</dd>"
        for field, kind in schema.get("properties", {}).items()
    ]
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><dl>{"".join(fields)}</dl>'
