"""`five211 verify`: replay records and name every fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from five211 import texts
from five211.cli import common
from five211.record import RecordError, faults, parse

GOOD, FAULTY, UNREADABLE = 0, 1, 2
NOT_READABLE = ("record_json", "record_long", "record_key_twice", "record_number")


@dataclass(slots=True)
class Report:
    """What was found in one file."""

    file: str
    finished: int = 0
    unfinished: int = 0
    faults: list[tuple[int, RecordError]] = field(default_factory=list)
    unreadable: common.FileError | None = None

    @property
    def code(self) -> int:
        """The exit code that this file calls for."""
        if self.unreadable or any(error.code in NOT_READABLE for _, error in self.faults):
            return UNREADABLE
        return FAULTY if self.faults else GOOD


def run(files: Sequence[str], lang: str | None, as_json: bool) -> int:
    """Check all files, and return the exit code."""
    language = common.speak(lang)
    reports = []
    for name in files:
        report = check(name)
        reports.append(report)
        if not as_json:
            _show(report, language)
    code = max(report.code for report in reports)
    if as_json:
        good = code == GOOD
        common.print_json({"good": good, "files": [_json(one, language) for one in reports]})
    return code


def check(name: str) -> Report:
    """Replay every record of a file."""
    report = Report(name)
    try:
        with common.opened(name) as file:
            for line, text in common.records_in(file, name):
                found = faults(text)
                report.faults += [(line, fault) for fault in found]
                if not found and parse(text).finished:
                    report.finished += 1
                elif not found:
                    report.unfinished += 1
    except common.FileError as error:
        report.unreadable = error
    return report


def _show(report: Report, language: str) -> None:
    out, err = common.console(), common.console(stderr=True)
    for line, fault in report.faults:
        stream = err if fault.code in NOT_READABLE else out
        stream.print(f"{report.file}:{line}: {fault.say(language)}")
    if report.unreadable:
        err.print(f"five211: {report.unreadable.say(language)}")
    elif not report.faults:
        games = report.finished + report.unfinished
        said = texts.fill(language, "cli.good", name=report.file, n=games)
        if report.unfinished:
            said += " " + texts.say(language, "cli.unfinished", n=report.unfinished)
        out.print(said)


def _json(report: Report, language: str) -> dict[str, object]:
    return {
        "file": report.file,
        "finished": report.finished,
        "unfinished": report.unfinished,
        "unreadable": report.unreadable and report.unreadable.say(language),
        "faults": [
            {"line": line, "place": fault.place, "code": fault.code, "reason": fault.say(language)}
            for line, fault in report.faults
        ],
    }
