"""The HTTP side. Playing itself goes over the socket."""

from five211.server.routes import games, house, operator, players, tables

HANDLERS = (
    *tables.HANDLERS,
    *games.HANDLERS,
    *players.HANDLERS,
    *house.HANDLERS,
    *operator.HANDLERS,
)
