// The load generator: one for both servers, so that what it costs is the same for both.
//
//     node load.js five211|boardgame http://127.0.0.1:PORT[,http://127.0.0.1:PORT...] [turn|table|first]
//
// It reads one JSON command a line and answers each with one line; see COMMANDS.
"use strict";

const { performance } = require("node:perf_hooks");
const readline = require("node:readline");
const { placing } = require("./places.js");
const { each } = require("./web.js");

const [kind, bases, by = "turn"] = process.argv.slice(2);
const where = placing(bases.split(","), by);
const server = { five211: "./five211.js", boardgame: "./boardgame.js" }[kind];
const { makeTable, connect } = require(server);

const PLAYERS = 4;
const TURNS = 18; // of a standard game of four
const SPREAD = 0.8; // the part of a turn's time in which its four choices fall due
const GAMES_KEPT = 20; // finished games that are handed back, to be scored again
const DRAIN = 5000; // ms for the last answers

const tables = []; // of tickets
const seats = [];
const total = { acknowledged: 0, rounds: 0, games: 0, failed: 0, closed: 0, why: {} };
const wire = { heard: 0, heard_bytes: 0, said: 0, said_bytes: 0 }; // messages; their frames have 2 to 8 bytes more
const kept = [];
let run = null; // what is being measured: a pace, and the times of its answers

const blame = (why) => {
  total.why[why] = (total.why[why] ?? 0) + 1;
};

const hooks = {
  heard: (bytes) => {
    wire.heard += 1;
    wire.heard_bytes += bytes;
  },
  said: (bytes) => {
    wire.said += 1;
    wire.said_bytes += bytes;
  },
  round: () => {
    total.rounds += 1;
  },
  game: (game) => {
    total.games += 1;
    if (kept.length < GAMES_KEPT) kept.push(game);
  },
  failed: (seat, why) => {
    total.failed += 1;
    blame(why);
  },
  closed: (seat, why) => {
    if (seat.leaving) return;
    total.closed += 1;
    blame(why);
  },
  acknowledged: (seat) => {
    const now = performance.now();
    if (run !== null && now >= run.from && now < run.to) run.times.push(now - seat.since);
    seat.since = 0;
    total.acknowledged += 1;
  },
  opened: (seat) => {
    seat.open = true;
    if (run !== null && run.sending) run.pace(seat);
    else if (seat.ahead > 0) goAhead(seat);
  },
};

// Where a seat's table is among all tables, from 0 to 1.
const place = (seat) => Math.floor(seat.number / PLAYERS) / (seats.length / PLAYERS);

function choose(seat, since) {
  if (run === null || !run.sending || !seat.open) return;
  seat.open = false;
  seat.since = since;
  seat.line.choose();
}

// Before anything is measured each table plays some turns, so that games are not all in step: else
// they would all end, and begin anew, in the same half second.
function goAhead(seat) {
  seat.ahead -= 1;
  seat.open = false;
  seat.line.choose();
}

// Every seat chooses as soon as it can.
const closed = () => (seat) => choose(seat, performance.now());

// Choices fall due at fixed times, whatever the server does. One that cannot be made in time,
// since the turn before is not over, counts from when it was due.
function open(rate) {
  const turn = (seats.length / rate) * 1000; // ms, in which every seat chooses once
  const began = performance.now();
  for (const seat of seats) {
    seat.due = began + (place(seat) + Math.random() * SPREAD) * turn;
  }
  return (seat) => {
    const due = seat.due;
    seat.due += turn;
    const wait = due - performance.now();
    if (wait <= 0) choose(seat, due);
    else setTimeout(() => choose(seat, performance.now()), wait);
  };
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(pace, spread, warm, seconds) {
  const [first, finished, unheard] = [total.acknowledged, total.games, { ...wire }];
  const from = performance.now() + warm * 1000;
  run = { pace, from, to: from + seconds * 1000, times: [], sending: true };
  for (const seat of seats) {
    if (seat.open) setTimeout(() => run.pace(seat), place(seat) * spread * 1000);
  }
  await sleep(warm * 1000);
  const [before, idle] = [{ ...total }, performance.eventLoopUtilization()];
  await sleep(seconds * 1000);
  const busy = performance.eventLoopUtilization(idle).utilization;
  const after = { ...total };
  run.sending = false;
  const waiting = () => seats.filter((seat) => seat.since > 0).length;
  for (let waited = 0; waiting() > 0 && waited < DRAIN; waited += 20) await sleep(20);
  const times = Float64Array.from(run.times).sort();
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? null;
  run = null;
  return {
    moves: times.length,
    in_all: total.acknowledged - first, // with the warm-up and what came after
    games_in_all: total.games - finished,
    wire: Object.fromEntries(Object.keys(wire).map((name) => [name, wire[name] - unheard[name]])),
    a_second: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    rounds: after.rounds - before.rounds,
    games: after.games - before.games,
    failed: total.failed,
    closed: total.closed,
    unanswered: waiting(),
    why: total.why,
    busy,
  };
}

const COMMANDS = {
  // Tables with everyone seated, and nobody connected.
  make: async ({ count, variant }) => {
    const fresh = [...Array(count).keys()];
    await each(fresh, 8, async () => {
      tables.push(await makeTable(where, { players: PLAYERS, variant }));
    });
    return { tables: tables.length };
  },
  // Sockets for the next so many tables.
  attach: async ({ count }) => {
    const first = seats.length / PLAYERS;
    const next = [...tables.entries()].slice(first, first + count);
    await each(next, 16, async ([table, tickets]) => {
      const line = tickets.map((ticket, index) => {
        const number = table * PLAYERS + index;
        const ahead = table % TURNS;
        const seat = { number, index, ahead, open: false, since: 0, due: 0, leaving: false };
        seat.line = connect(where(ticket.table), ticket, seat, hooks);
        seats.push(seat);
        return seat.line.ready;
      });
      await Promise.all(line);
    });
    return { sockets: seats.length };
  },
  start: async () => {
    for (const seat of seats) seat.line.start();
    const ready = (seat) => seat.open && seat.ahead === 0;
    for (let waited = 0; !seats.every(ready) && waited < 60_000; waited += 20) await sleep(20);
    return { open: seats.filter(ready).length };
  },
  // Tables begin one after the other in half of the warm-up: else all would go on in step.
  closed: ({ warm, seconds }) => measure(closed(), warm / 2, warm, seconds),
  open: ({ rate, warm, seconds }) => measure(open(rate), 0, warm, seconds),
  sum: async () => ({ ...total, kept }),
  leave: async () => {
    for (const seat of seats) {
      seat.leaving = true;
      seat.line.close();
    }
    return {};
  },
};

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { command, ...fields } = JSON.parse(line);
    const answer = await COMMANDS[command](fields);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
