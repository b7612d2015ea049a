"""The game server: tables for everyone, live and durable. `five211 serve` runs it.

    app         routes, HTTP and sockets
    hub         every live table, the commits, clocks and bots
    live        one table in memory: who is connected, and what each of them is sent
    wire        what a viewer may know, as JSON
    room        a table and what the house adds to it: doors, tokens, the proof of the deal
    store       the append-only log and everything else that lasts

A command is judged in memory, written, and only then answered and shown to anybody.
"""
