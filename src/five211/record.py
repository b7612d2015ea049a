"""The game record (docs/record.md): the cards' order and the players' choices, as JSON.

Everything else in a record is recomputed and compared. A record that disagrees anywhere is refused
with the place and the reason; one that is merely unfinished is good, and can be played on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NoReturn

from five211 import texts
from five211.cards import Card, Cards
from five211.errors import GameError, shown
from five211.events import Result
from five211.match import Match
from five211.rules import Rules
from five211.scoring import Score
from five211.state import State

FORMAT = "5211-record"
VERSION = 1
LONGEST = 200_000  # characters of one record; a very long game has 60,000
KNOWN = ("format", "version", "game", "seats", "deals", "result")
DEFAULT_EDITION = "classic"


def check_edition(edition: str) -> str:
    """The edition, or an error if there is none of this name."""
    known = texts.names("editions")
    if edition not in known:
        raise GameError("edition", edition=shown(edition), known=known)
    return edition


class RecordError(GameError):
    """What is wrong with a record, and where: `deals[0].rounds[2].points`, say."""

    def __init__(self, code: str | GameError, place: str = "", **fields: Any) -> None:
        super().__init__(code, **({"place": place} if isinstance(code, str) else {}), **fields)
        self.place: str = self.fields.get("place", place)

    def say(self, language: str = texts.DEFAULT_LANGUAGE) -> str:
        """The place, then the reason."""
        reason = super().say(language)
        return f"{self.place}: {reason}" if self.place else reason


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat in a seat: a name, and the bot's if it was one."""

    name: str
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One game, finished or not."""

    match: Match
    players: tuple[Player, ...]
    edition: str = DEFAULT_EDITION
    played_by: tuple[tuple[str | None, ...], ...] = ()
    """For each turn of the game and each seat: the substitute who chose, if one did.

    Empty if there never was one."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of the record, kept as they are."""

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.match.over


# Writing


def write(record: Record) -> str:
    """A record as one line of JSON."""
    rules = record.match.rules
    if rules != Rules.of(rules.players, rules.variant):
        raise GameError("record_rules")
    if len(record.players) != rules.players:
        raise GameError("seats_on_table", n=len(record.players), needed=rules.players)
    check_edition(record.edition)
    substitutes = iter(record.played_by)
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": {
            "players": rules.players,
            "variant": str(rules.variant),
            "edition": record.edition,
        },
        "seats": [{"name": player.name, "bot": player.bot} for player in record.players],
        "deals": [_write_deal(state, substitutes) for state in record.match.deals],
    }
    result = record.match.result
    if result is not None:
        content["result"] = _write_result(result)
    extra = {key: value for key, value in record.extra.items() if key not in KNOWN}
    try:
        return json.dumps({**extra, **content}, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise GameError("record_extra") from None


def _write_deal(state: State, substitutes: Iterator[tuple[str | None, ...]]) -> dict[str, Any]:
    rules, deck = state.rules, state.deck
    end = rules.aside + rules.players * rules.hand
    rounds = [
        {
            **_write_turns(round_.turns, substitutes),
            "outcome": _write_outcome(round_.score),
            "points": list(round_.score.points),
        }
        for round_ in state.rounds
    ]
    if state.turns:
        rounds.append(_write_turns(state.turns, substitutes))
    return {
        "removed": _codes(deck[: rules.aside]),
        "hands": [_codes(deck[i : i + rules.hand]) for i in range(rules.aside, end, rules.hand)],
        "pile": _codes(deck[end:]),
        "rounds": rounds,
    }


def _write_turns(
    turns: tuple[tuple[Cards, ...], ...], substitutes: Iterator[tuple[str | None, ...]]
) -> dict[str, Any]:
    written: dict[str, Any] = {"turns": [[_codes(cards) for cards in turn] for turn in turns]}
    played_by = [list(next(substitutes, (None,) * len(turn))) for turn in turns]
    if any(name for turn in played_by for name in turn):
        written["played_by"] = played_by
    return written


def _write_outcome(score: Score) -> dict[str, Any]:
    return {
        "kind": str(score.outcome),
        "color": None if score.color is None else score.color.name,
    }


def _write_result(result: Result) -> dict[str, Any]:
    return {
        "points": list(result.points),
        "cards": list(result.cards),
        "winners": list(result.winners),
    }


def _codes(cards: Cards) -> list[str]:
    return [card.code for card in cards]


# Replaying


def replay(match: Match) -> Iterator[tuple[Match, Match]]:
    """A game once more from its beginning: each match with the one after it."""
    now = Match(match.rules)
    for state in match.deals:
        before, now = now, now.deal(state.deck)
        yield before, now
        turns = [turn for round_ in state.rounds for turn in round_.turns]
        for choices in (*turns, *state.turns):
            before, now = now, now.play(choices)
            yield before, now


# Reading


def parse(text: str) -> Record:
    """The record that a text holds; `RecordError` if it disagrees with itself anywhere."""
    reader = _Reader()
    record = reader.record(_decode(text))
    if reader.faults:
        raise reader.faults[0]
    return record


def faults(text: str) -> tuple[RecordError, ...]:
    """All that is wrong with a record, as far as it could be read; empty if it is good."""
    reader = _Reader()
    try:
        reader.record(_decode(text))
    except RecordError as error:
        reader.faults.append(error)
    return tuple(reader.faults)


def _decode(text: str) -> Any:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise RecordError("record_long", most=LONGEST)
    try:
        return json.loads(
            text, object_pairs_hook=_no_twice, parse_constant=_no_constant, parse_float=_finite
        )
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        raise RecordError("record_json", line=text.count("\n", 0, at) + 1) from None


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RecordError("record_key_twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise RecordError("record_number", text=shown(name))


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_constant(text)


class _Reader:
    """Replays a record. A claim that is wrong is noted; what stops the replay is raised."""

    def __init__(self) -> None:
        self.faults: list[RecordError] = []

    def record(self, data: Any) -> Record:
        _check(isinstance(data, dict), "record_object", "")
        _check(data.get("format") == FORMAT, "record_format", "format", format=FORMAT)
        version = data.get("version")
        _check(type(version) is int and version == VERSION, "record_version", "version", n=VERSION)
        rules, edition = self._game(_get(data, "game", dict, ""))
        players = self._players(_get(data, "seats", list, ""), rules)
        match = Match(rules)
        played_by: list[tuple[str | None, ...]] = []
        deals = _get(data, "deals", list, "")
        for number, deal in enumerate(deals):
            place = f"deals[{number}]"
            _check(isinstance(deal, dict), "record_object", place)
            with _At(place):
                match = match.deal(_read_deck(deal, rules, place))
            last_deal = number == len(deals) - 1
            rounds = _get(deal, "rounds", list, place)
            for index, round_ in enumerate(rounds):
                last = last_deal and index == len(rounds) - 1
                match = self._round(match, round_, last, f"{place}.rounds[{index}]", played_by)
        self._result(match, data.get("result"))
        return Record(
            match=match,
            players=players,
            edition=edition,
            played_by=tuple(played_by) if any(map(any, played_by)) else (),
            extra={key: value for key, value in data.items() if key not in KNOWN},
        )

    def _game(self, game: dict[str, Any]) -> tuple[Rules, str]:
        with _At("game"):
            rules = Rules.of(game.get("players"), game.get("variant"))  # type: ignore[arg-type]
        edition = _get(game, "edition", str, "game")
        with _At("game.edition"):
            check_edition(edition)
        return rules, edition

    def _players(self, seats: list[Any], rules: Rules) -> tuple[Player, ...]:
        _check(len(seats) == rules.players, "record_seats", "seats", n=rules.players)
        players = []
        for number, seat in enumerate(seats):
            place = f"seats[{number}]"
            _check(isinstance(seat, dict), "record_object", place)
            bot = seat.get("bot")
            _check(bot is None or isinstance(bot, str), "record_text", f"{place}.bot")
            players.append(Player(_get(seat, "name", str, place), bot))
        return tuple(players)

    def _round(
        self,
        match: Match,
        data: Any,
        last: bool,
        place: str,
        played_by: list[tuple[str | None, ...]],
    ) -> Match:
        _check(isinstance(data, dict), "record_object", place)
        turns = _get(data, "turns", list, place)
        with _At(place):
            if match.awaits_deck or match.over:  # also a round without a turn is one too many
                raise GameError("game_over" if match.over else "not_dealt")
        full = len(match.rules.plays)
        _check(len(turns) <= full, "record_turns", f"{place}.turns", n=full)
        _check(len(turns) == full or last, "record_round_short", f"{place}.turns", n=full)
        for number, turn in enumerate(turns):
            at = f"{place}.turns[{number}]"
            with _At(at):
                match = match.play([_read_cards(cards, at) for cards in _list(turn, at)])
        played_by += _read_played_by(data.get("played_by"), turns, match.rules, place)
        if len(turns) == full:
            score = match.state.rounds[-1].score
            self._claim(data.get("outcome"), _write_outcome(score), f"{place}.outcome")
            self._claim(data.get("points"), list(score.points), f"{place}.points")
        else:
            for key in ("outcome", "points"):
                _check(data.get(key) is None, "record_round_early", f"{place}.{key}")
        return match

    def _result(self, match: Match, result: Any) -> None:
        if match.result is None:
            _check(result is None, "record_result_early", "result")
        else:
            _check(result is not None, "record_result_missing", "result")
            for key, truth in _write_result(match.result).items():
                claimed = result.get(key) if isinstance(result, dict) else None
                self._claim(claimed, truth, f"result.{key}")

    def _claim(self, claimed: Any, truth: Any, place: str) -> None:
        """Compare what a record says with what follows from its cards and choices."""
        if isinstance(claimed, dict) and isinstance(truth, dict):
            claimed = {key: claimed.get(key) for key in truth}
        said, true = json.dumps(claimed), json.dumps(truth)  # tells 1, 1.0 and true apart
        if said != true:
            self.faults.append(RecordError("record_claim", place, claimed=shown(said), truth=true))


class _At:
    """Gives an error of the game its place in the record."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, GameError) and not isinstance(error, RecordError):
            raise RecordError(error.code, self.place, **error.fields) from None


_EXPECTED: dict[type[Any], str] = {
    dict: "record_object",
    list: "record_list",
    str: "record_text",
}


def _check(good: bool, code: str, place: str, **fields: Any) -> None:
    if not good:
        raise RecordError(code, place, **fields)


def _get(data: dict[str, Any], key: str, kind: type[Any], place: str) -> Any:
    at = f"{place}.{key}" if place else key
    _check(key in data, "record_missing", at)
    _check(isinstance(data[key], kind), _EXPECTED[kind], at)
    return data[key]


def _list(data: Any, place: str) -> list[Any]:
    _check(isinstance(data, list), "record_list", place)
    return data  # type: ignore[no-any-return]


def _read_cards(data: Any, place: str) -> Cards:
    return tuple(sorted(Card(code) for code in _list(data, place)))


def _read_deck(data: dict[str, Any], rules: Rules, place: str) -> Cards:
    removed, pile = _get(data, "removed", list, place), _get(data, "pile", list, place)
    hands = _get(data, "hands", list, place)
    _check(len(removed) == rules.aside, "record_cards", f"{place}.removed", n=rules.aside)
    _check(len(pile) == rules.pile, "record_cards", f"{place}.pile", n=rules.pile)
    _check(len(hands) == rules.players, "record_seats", f"{place}.hands", n=rules.players)
    deck = [Card(code) for code in removed]
    for seat, hand in enumerate(hands):
        at = f"{place}.hands[{seat}]"
        _check(len(_list(hand, at)) == rules.hand, "record_cards", at, n=rules.hand)
        deck += [Card(code) for code in hand]
    return tuple(deck + [Card(code) for code in pile])


def _read_played_by(
    data: Any, turns: list[Any], rules: Rules, place: str
) -> list[tuple[str | None, ...]]:
    """For each turn, who chose for each seat if it was a substitute."""
    if data is None:
        return [(None,) * rules.players] * len(turns)
    at = f"{place}.played_by"
    _check(len(_list(data, at)) == len(turns), "record_played_by", at)
    for turn in data:
        _check(len(_list(turn, at)) == rules.players, "record_played_by", at)
        good = all(name is None or (isinstance(name, str) and name) for name in turn)
        _check(good, "record_text", at)
    return [tuple(turn) for turn in data]
