"""Playing at a table: deals, choices face down, and the reveal when the last one is in."""

from __future__ import annotations

from five211.cards import Cards
from five211.change import Change
from five211.commands import BotChooses, Choose, Deal, Moment, TakeBack
from five211.errors import GameError
from five211.happenings import ChoiceKept, Chose, TookBack
from five211.match import happened
from five211.state import check_choice
from five211.table import Seat
from five211.view import check_seat


def deal(change: Change, command: Deal) -> None:
    """Deal the deck that was awaited."""
    match = change.match
    dealt = match.deal(command.deck)
    change.set(match=dealt)
    change.say(*happened(match, dealt))
    change.begin_turn()


def choose(change: Change, command: Choose) -> None:
    """Put cards face down, or others instead (rule 3.3)."""
    number = change.table.seat_of(command.person)
    cards = _checked_choice(change, number, command.moment, command.cards)
    change.be_here(number)
    _put_down(change, number, cards, None)


def bot_chooses(change: Change, command: BotChooses) -> None:
    """A bot's choice, for its own seat or as a substitute."""
    number = check_seat(change.table.rules, command.seat)
    cards = _checked_choice(change, number, command.moment, command.cards)
    if number not in change.table.bots_awaited:
        raise GameError("bot_not_awaited", seat=number + 1)
    _put_down(change, number, cards, change.table.seats[number].played_by_bot)


def _checked_choice(change: Change, number: int, moment: Moment, cards: Cards) -> Cards:
    _check_moment(change, moment)
    state = change.match.state
    return check_choice(state.rules, state.hands[number], state.turn, cards)


def _check_moment(change: Change, moment: Moment) -> None:
    now = change.table.moment
    if now is None:
        raise GameError("nothing_to_choose")
    if moment != now:
        raise GameError("turn_over")


def _put_down(change: Change, number: int, cards: Cards, bot: str | None) -> None:
    seat = change.table.seats[number]
    change.set_seat(number, choice=cards, chosen_by=bot)
    change.say(ChoiceKept(number, cards))
    if seat.choice is None:
        change.set_seat(number, chosen_at=change.now)
        change.say(Chose(number, hidden=not change.options.show_chosen))
    if seat.returning and change.options.show_chosen:
        change.hand_back(number)
    if all(one.choice is not None for one in change.table.seats):
        _reveal(change)


def take_back(change: Change, command: TakeBack) -> None:
    """Take a choice back into the hand (rule 3.3)."""
    number = change.table.seat_of(command.person)
    _check_moment(change, command.moment)
    change.be_here(number)
    seat = change.table.seats[number]
    if seat.choice is None:
        raise GameError("nothing_to_take_back")
    # Without a clock nobody's time ends, but a substitute's choice ends the waiting.
    on_time = change.options.clock is None and seat.chosen_by is None
    if not on_time and change.time_is_up(number):
        raise GameError("too_late")
    change.set_seat(number, choice=None, chosen_by=None)
    change.say(ChoiceKept(number, ()))
    change.say(TookBack(number, hidden=not change.options.show_chosen))


def _reveal(change: Change) -> None:
    """The last choice is in: turn over, draw, score, and go on."""
    match, seats = change.match, change.table.seats
    played = match.play([seat.choice or () for seat in seats])
    by = tuple([seat.chosen_by for seat in seats])
    change.set(match=played, played_by=(*change.table.played_by, by))
    for number, seat in enumerate(seats):
        change.set_seat(number, choice=None, chosen_by=None, reserve=_reserve_left(change, seat))
    change.say(*happened(match, played))
    change.begin_turn()


def _reserve_left(change: Change, seat: Seat) -> float:
    clock = change.options.clock
    if clock is None:
        return seat.reserve
    used = max(0.0, seat.chosen_at - seat.since - clock.seconds)
    return max(0.0, seat.reserve - used)
