"""Random commands at a table, legal and illegal, through whole games and rematches.

After every single command the machine checks what must hold at any table. And from wherever a
random life has led, the game can be played to its end: no table is ever stuck.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from five211 import (
    SPECTATOR,
    Clock,
    Event,
    GameError,
    Moment,
    Options,
    Rules,
    Table,
    apply,
    parse,
    table_view,
    visible,
    write,
)
from five211.commands import (
    Away,
    Back,
    BotChooses,
    CallSubstitute,
    Choose,
    Command,
    Deal,
    Leave,
    Rematch,
    Remove,
    SeatBot,
    Sit,
    Start,
    TakeBack,
    Tick,
)
from five211.events import DealStarted, Drew, HandDealt, Revealed
from five211.happenings import (
    ChoiceKept,
    Chose,
    GameStarted,
    RematchCalled,
    TimeShort,
)
from tests.tables import all_cards, deck_for

OPTIONS = [
    Options(),
    Options(show_chosen=False, patience=30),
    Options(clock=Clock(seconds=30, reserve=60)),
    Options(clock=Clock(seconds=5, warning=10), show_chosen=False),
    Options(clock=Clock(seconds=100, warning=50, correspondence=True), substitute="random"),
]
OF_ONE_SEAT = HandDealt | Drew | ChoiceKept | TimeShort
OF_THE_GAME = Revealed | DealStarted | GameStarted | RematchCalled

people = st.integers(0, 11)  # somebody who sits here, counted round; 11 is a stranger
strangers = st.sampled_from("abcdefgh")
names = st.sampled_from(["Ana", "ANA", "Bob", "Cleo", "Dan", "Eve", "Maxi", "<i>", "\0", ""])
seats: st.SearchStrategy[Any] = st.sampled_from([None, 0, 1, 2, 3, 4, 5, -1, True])
bots = st.sampled_from(["hasty", "random", ""])
waits = st.sampled_from([0, 0, 0, 1, 4, 20, 40, 150, 10_000, -30])
picks = st.integers(0, 9)
moments = st.sampled_from(["now", "now", "now", "old"])
kinds = st.sampled_from(["mine", "mine", "mine", "mine", "theirs", "few", "text"])


class TableMachine(RuleBasedStateMachine):
    """A table, a clock that may jump, and people who may do anything."""

    thorough = True
    """Whether every step is checked, and not only the finished game."""

    @initialize(
        players=st.integers(2, 5),
        variant=st.sampled_from(["standard", "long"]),
        options=st.sampled_from(OPTIONS),
        seated=st.integers(1, 5),
        begun=st.sampled_from([True, True, False]),
    )
    def gather(
        self, players: int, variant: str, options: Options, seated: int, begun: bool
    ) -> None:
        self.now = 0.0
        self.table = Table.new(Rules.of(players, variant), options)
        for person in "abcde"[:players][:seated]:
            self.step(Sit(person, f"Player {person}"))
        if begun:
            self.play_a_turn(0)

    # Commands, sensible or not

    @rule(person=strangers, name=names, seat=seats, wait=waits)
    def sit(self, person: str, name: str, seat: Any, wait: int) -> None:
        self.step(Sit(person, name, seat), wait)

    @rule(one=people, what=st.integers(0, 3), bot=bots, seat=seats)
    def decide(self, one: int, what: int, bot: str, seat: Any) -> None:
        """What the host may do, and only before the start, or only after the end."""
        person = self.person(one)
        commands: list[Command] = [
            SeatBot(person, bot, seat),
            Remove(person, seat),
            Start(person, bot or None),
            Rematch(person),
        ]
        self.step(commands[what])

    @rule(seed=st.integers(0, 99), sound=st.booleans(), wait=waits)
    def deal(self, seed: int, sound: bool, wait: int) -> None:
        deck = deck_for(self.table.rules, seed)
        self.step(Deal(deck if sound else (*deck[1:], deck[1])), wait)

    @rule(one=people, when=moments, which=kinds, pick=picks, wait=waits)
    def choose(self, one: int, when: str, which: str, pick: int, wait: int) -> None:
        person = self.person(one)
        seat = self.table.seat_of(person) if person != "stranger" else 0
        self.step(Choose(person, self.moment(when), self.cards(seat, which, pick)), wait)

    @rule(seat=st.integers(0, 5), when=moments, which=kinds, pick=picks, wait=waits)
    def bot_chooses(self, seat: int, when: str, which: str, pick: int, wait: int) -> None:
        hand = seat % len(self.table.seats)
        self.step(BotChooses(seat, self.moment(when), self.cards(hand, which, pick)), wait)

    @rule(one=people, when=moments, which=kinds, pick=picks, wait=waits)
    def change_and_take_back(self, one: int, when: str, which: str, pick: int, wait: int) -> None:
        self.choose(one, "now", "mine", pick, 0)
        self.choose(one, "now", which, pick + 1, wait)
        self.step(TakeBack(self.person(one), self.moment(when)), wait)

    @rule(one=people, what=st.integers(0, 5), wait=waits)
    def come_and_go(self, one: int, what: int, wait: int) -> None:
        person = self.person(one)
        back, away = Back(person), Away(person)
        commands: list[Command] = [back, away, Tick(), back, away, Leave(person)]
        self.step(commands[what], wait)

    @rule(one=people, seat=st.none() | seats, wait=waits)
    def call_substitute(self, one: int, seat: Any, wait: int) -> None:
        if self.table.late and seat is None:
            seat = self.table.late[-1]
        self.step(CallSubstitute(self.person(one), seat), wait)

    @rule(turns=st.integers(1, 6), pick=picks)
    def play_on(self, turns: int, pick: int) -> None:
        """Everybody does for a while what is expected of them."""
        for _ in range(turns):
            self.play_a_turn(pick)

    def teardown(self) -> None:
        """However it went, the game can be finished, and another one begins."""
        if not hasattr(self, "table"):
            return
        self.thorough = False  # these are the commands of `play_on`
        self.ensure_somebody_is_here()
        for _ in range(1000):
            if self.table.match is None or not self.table.match.over:
                self.play_a_turn(0)
        assert self.table.record.finished
        game = self.table.game
        self.play_a_turn(0)
        assert (self.table.game, len(self.table.played_by)) == (game + 1, 1)

    # What a reasonable host program does

    def play_a_turn(self, pick: int) -> None:
        somebody = next((seat.person for seat in self.table.seats if seat.person), None)
        if somebody is None or self.table.paused_at is not None:
            return
        if self.table.match is not None and self.table.match.over:
            self.step(Rematch(somebody))
        if self.table.match is None:
            self.step(Start(self.table.host or somebody, "random"))
        if self.table.awaits_deck:
            deals = len(self.table.match.deals) if self.table.match else 0
            self.step(Deal(deck_for(self.table.rules, self.table.game, deals)))
        if self.table.moment is None or self.table.paused_at is not None:
            return
        moment = self.table.moment
        for _ in self.table.awaited:
            number = self.table.awaited[pick % len(self.table.awaited)]
            cards = self.cards(number, "mine", pick)
            seat = self.table.seats[number]
            if seat.person is None or seat.played_by_bot:
                self.step(BotChooses(number, moment, cards))
            else:
                self.step(Choose(seat.person, moment, cards))
        assert self.table.moment != moment

    def ensure_somebody_is_here(self) -> None:
        persons = [seat.person for seat in self.table.seats if seat.person]
        if persons:
            self.step(Back(persons[0]))
        else:
            self.step(Sit("newcomer", "Newcomer", 0))
        assert any(seat.present for seat in self.table.seats)

    def person(self, one: int) -> str:
        """One of those who sit here, or somebody who does not."""
        persons = [seat.person for seat in self.table.seats if seat.person is not None]
        return persons[one % len(persons)] if persons and one < 11 else "stranger"

    def moment(self, when: str) -> Moment:
        if when == "now" and self.table.moment is not None:
            return self.table.moment
        return Moment(self.table.game, 0, 0, 0)

    def cards(self, seat: int, which: str, pick: int) -> Any:
        """Cards to choose: legal ones, or another seat's, or too few, or no cards at all."""
        if which == "text" or self.table.moment is None or self.table.match is None:
            return ("Y1", "Y1")
        state = self.table.match.state
        if which == "theirs":
            seat = (seat + 1) % len(state.hands)
        hand = state.hands[seat]
        turned = hand[pick % len(hand) :] + hand[: pick % len(hand)]
        return turned[: state.rules.plays[state.turn] - (which == "few")]

    # One command, and all that must hold after it

    def step(self, command: Command, wait: int = 0) -> None:
        self.now += wait
        before, copy = self.table, replace(self.table, held=dict(self.table.held))
        answer = attempt(before, command, self.now)
        if self.thorough:
            assert attempt(before, command, self.now) == answer
            assert before == copy
        if isinstance(answer, GameError):
            assert 10 < len(str(answer)) < 200
            return
        after, events = answer
        self.table = after
        if self.thorough:
            assert after.now == max(before.now, self.now)
            check_events(before, after, events)
            check_seats(after)
            check_times(after)
            check_views(after)
            check_cards(after)
        if after.match is not None and after.match is not before.match and after.match.over:
            check_record(after)
        if before.match is not None and before.match.over and after.match is before.match:
            assert after.record == before.record


def attempt(
    table: Table, command: Command, now: float
) -> tuple[Table, tuple[Event, ...]] | GameError:
    try:
        return apply(table, command, now)
    except GameError as refusal:
        return refusal


def check_events(before: Table, after: Table, events: tuple[Event, ...]) -> None:
    """Everybody hears of their own cards only, and the game changes only where it is said."""
    for event in events:
        secret = isinstance(event, OF_ONE_SEAT) or (
            isinstance(event, Chose) and not after.options.show_chosen
        )
        assert event.audience == (getattr(event, "seat") if secret else None)  # noqa: B009
    viewers = [*range(len(after.seats)), SPECTATOR]
    for viewer in viewers:
        heard = visible(events, viewer)
        assert all(e.seat == viewer for e in heard if isinstance(e, OF_ONE_SEAT))
    if not any(isinstance(event, OF_THE_GAME) for event in events):
        assert after.match is before.match
        assert after.played_by == before.played_by
    for event in events:
        if isinstance(event, Revealed):
            last = {e.seat: e.cards for e in events if isinstance(e, ChoiceKept)}
            lay = [last.get(number, seat.choice) for number, seat in enumerate(before.seats)]
            assert list(event.choices) == lay
            assert len(last) == 1


def check_seats(table: Table) -> None:
    """Nobody has two seats, nobody has left a seat to itself, and somebody is the host."""
    persons = [seat.person for seat in table.seats if seat.person is not None]
    assert len(set(persons)) == len(persons)
    assert (table.host in persons) if persons else table.host is None
    assert not any(seat.present for seat in table.seats if seat.person is None)
    called = [seat.name.casefold() for seat in table.seats if seat.name]
    assert len(set(called)) == len(called)
    live = table.match is not None and not table.match.over
    if live:
        assert all(seat.person or seat.played_by_bot for seat in table.seats)
        assert all(table.held[person] == table.seat_of(person) for person in persons)
    nobody = not any(seat.present for seat in table.seats)
    by_letter = table.options.clock is not None and table.options.clock.correspondence
    assert (table.paused_at is not None) == (live and nobody and not by_letter)
    assert bool(table.awaited) == (table.moment is not None)  # else nobody could go on
    if table.paused_at is None:
        assert sorted(table.bots_awaited + table.late) == list(table.awaited)
    else:
        assert table.bots_awaited == table.late == ()


def check_times(table: Table) -> None:
    """The table wakes when there is something to do, and nobody gets more time than others."""
    if table.moment is not None:
        assert len({seat.since for seat in table.seats}) == 1
        assert table.seats[0].since <= table.now
    clock = table.options.clock
    if clock is None or not table.late:
        assert table.wakes_at is None
        return
    due = []
    for number in table.late:
        deadline = table.deadline(number)
        assert deadline is not None
        due.append(deadline - (0 if table.seats[number].warned else clock.warning))
        assert 0 <= table.seats[number].reserve <= clock.reserve
    wakes_at = table.wakes_at
    assert wakes_at == min(due)
    assert apply(table, Tick(), wakes_at)[1]
    if wakes_at - 1 > table.now:
        assert apply(table, Tick(), wakes_at - 1)[1] == ()


def check_cards(table: Table) -> None:
    """All cards are there, hands are full, and what lies face down is still in the hand."""
    for state in table.match.deals[-1:] if table.match is not None else ():
        assert all_cards(state) == table.rules.deck
        assert len(state.deck) == 100
        for seat, hand in zip(table.seats, state.hands, strict=True):
            drawing = state.pile or not state.turns
            left = 0 if state.deal_over else 5
            assert len(hand) == (left if drawing else 5 - sum(table.rules.plays[: state.turn]))
            if seat.choice is not None:
                assert len(seat.choice) == table.rules.plays[state.turn]
                assert not Counter(seat.choice) - Counter(hand)
    if table.moment is None:
        assert all(seat.choice is None for seat in table.seats)


def check_views(table: Table) -> None:
    """Everybody sees their own choice and hand, and of the others only what may be shown."""
    for viewer in (0, 1, SPECTATOR):  # not all, for speed
        seen = table_view(table, viewer)
        assert seen.choice == (table.seats[viewer].choice if isinstance(viewer, int) else None)
        for number, (seat, shown) in enumerate(zip(table.seats, seen.seats, strict=True)):
            known = table.options.show_chosen or number == viewer
            chosen = seat.choice is not None if known and table.moment else None
            assert shown.chosen is chosen
            assert shown.deadline is None or (known and number in table.late)


def check_record(table: Table) -> None:
    """A finished game can be written down and read again, and is the same."""
    record = table.record
    assert record.finished
    assert parse(write(record)) == record
    assert len(table.played_by) == sum(3 * len(state.rounds) for state in record.match.deals)


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(
    max_examples=settings().max_examples * 2 // 3, stateful_step_count=40
)
