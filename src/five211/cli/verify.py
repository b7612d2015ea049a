"""`five211 verify`: replay records and name every fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from five211 import texts
from five211.cli import common
from five211.errors import GameError
from five211.proof import check_proof
from five211.record import Record, RecordError, faults, parse

GOOD, FAULTY, UNREADABLE = 0, 1, 2
NOT_READABLE = ("record_json", "record_long", "record_key_twice", "record_number")
PROOFS = ("none", "consistent", "committed")
"""What was shown of a deal, the least first: nothing; that it follows from the proof in its record;
that this is the proof to which the server was bound before the game."""
DIGITS = 64  # of a commitment


@dataclass(slots=True)
class Report:
    """What was found in one file."""

    file: str
    finished: int = 0
    unfinished: int = 0
    faults: list[tuple[int, RecordError]] = field(default_factory=list)
    unreadable: common.FileError | None = None
    proofs: set[str] = field(default_factory=set)
    """What was shown of the deals of all good records."""

    @property
    def proof(self) -> str:
        """What was shown of every deal in the file."""
        return min(self.proofs, key=PROOFS.index, default="none") if not self.faults else "none"

    @property
    def code(self) -> int:
        """The exit code that this file calls for."""
        if self.unreadable or any(error.code in NOT_READABLE for _, error in self.faults):
            return UNREADABLE
        return FAULTY if self.faults else GOOD


def run(
    files: Sequence[str], lang: str | None, as_json: bool, commitment: str | None = None
) -> int:
    """Check all files, and return the exit code."""
    language = common.speak(lang)
    if commitment is not None:
        commitment = _checked(commitment)
    reports = []
    for name in files:
        report = check(name, commitment)
        reports.append(report)
        if not as_json:
            _show(report, language)
    code = max(report.code for report in reports)
    if as_json:
        good = code == GOOD
        common.print_json({"good": good, "files": [_json(one, language) for one in reports]})
    return code


def _checked(commitment: str) -> str:
    """A commitment as a record writes it."""
    tidy = commitment.strip().lower()
    if len(tidy) != DIGITS or not set(tidy) <= set("0123456789abcdef"):
        raise GameError("commitment")
    return tidy


def check(name: str, commitment: str | None = None) -> Report:
    """Replay every record of a file, and see whether its deals follow from their proof."""
    report = Report(name)
    try:
        with common.opened(name) as file:
            for line, text in common.records_in(file, name):
                found = faults(text)
                report.faults += [(line, fault) for fault in found]
                if not found:
                    _check_record(report, line, parse(text), commitment)
    except common.FileError as error:
        report.unreadable = error
    return report


def _check_record(report: Report, line: int, record: Record, commitment: str | None) -> None:
    """Count a good record; its proof may still be at fault."""
    try:
        report.proofs.add(_shown_by_proof(record, commitment))
    except RecordError as fault:
        report.faults.append((line, fault))
        return
    if record.finished:
        report.finished += 1
    else:
        report.unfinished += 1


def _shown_by_proof(record: Record, commitment: str | None) -> str:
    if "proof" not in record.extra:
        if commitment is not None:
            raise RecordError("proof_missing", "proof")
        return "none"
    proof = check_proof(record)
    if commitment is None:
        return "consistent"
    if proof.commitment != commitment:
        raise RecordError("proof_other", "proof.commitment")
    return "committed"


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
        if report.proof == "consistent":
            said += " " + texts.say(language, "cli.proof_consistent")
        elif report.proof == "committed":
            said += " " + texts.say(language, "cli.proof_committed")
        out.print(said)


def _json(report: Report, language: str) -> dict[str, object]:
    return {
        "file": report.file,
        "finished": report.finished,
        "unfinished": report.unfinished,
        "proof": report.proof,
        "unreadable": report.unreadable and report.unreadable.say(language),
        "faults": [
            {"line": line, "place": fault.place, "code": fault.code, "reason": fault.say(language)}
            for line, fault in report.faults
        ],
    }
