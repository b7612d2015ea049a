"""The HTTP side against its own OpenAPI, by Schemathesis: whatever comes in, no error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.conftest import SOAK
from tests.server.houses import ServerProcess, server_process

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 300 if SOAK else 12


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("schema")
    with server_process(folder, docs=True, log="error") as running:
        yield running


def test_every_operation_keeps_to_its_schema(server: ServerProcess) -> None:
    answer = httpx.get(f"{server.url}/docs/openapi.json")
    schema = schemathesis.openapi.from_dict(answer.json())
    key = httpx.post(f"{server.url}/api/players", json={"name": "Ana"}).json()["key"]
    tried = set()
    for operation in schema.get_all_operations():
        found = operation.ok()  # type: ignore[union-attr]
        tried.add(found.label)

        @settings(
            max_examples=EXAMPLES,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=found.as_strategy())
        def attack(case: Any) -> None:
            for headers in ({}, {"authorization": f"Bearer {key}"}):
                if case.method == "DELETE" and headers:
                    continue  # it would be the end of the profile
                case.call_and_validate(base_url=server.url, checks=CHECKS, headers=headers)

        attack()
    assert len(tried) >= 19
    assert "Traceback" not in server.log
    assert '"bug"' not in server.log
