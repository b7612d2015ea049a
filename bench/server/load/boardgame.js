// How boardgame.io's server is spoken to: socket.io's frames over a plain WebSocket, as its own
// client sends them, without that client's cost. A move is acknowledged by the update that has it
// in its log.
"use strict";

const WebSocket = require("ws");
const { post } = require("./web.js");

const ROOM = "/5211,";
const PLAYS = [2, 1, 1];

async function makeTable(where, { players, variant }) {
  const games = `${where()}/games/5211`;
  const made = { numPlayers: players, setupData: { variant } };
  const { matchID } = await post(`${games}/create`, made);
  const seats = [];
  for (let seat = 0; seat < players; seat += 1) {
    const join = { playerID: `${seat}`, playerName: `Seat ${seat}` };
    const { playerCredentials } = await post(`${games}/${matchID}/join`, join);
    seats.push({ matchID, credentials: playerCredentials, players });
  }
  return seats;
}

function connect(base, { matchID, credentials, players }, seat, hooks) {
  const address = `${base.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const playerID = `${seat.index}`;
  let [state, last, rounds, ready, waiting] = [null, "", 0, null, false];
  const emit = (...parts) => socket.send(`42${ROOM}${JSON.stringify(parts)}`);
  const move = (type, ...args) => {
    const action = { type: "MAKE_MOVE", payload: { type, args, playerID, credentials } };
    emit("update", action, state._stateID, matchID, playerID);
  };
  socket.on("error", (error) => hooks.failed(seat, error.message));
  socket.on("close", (code, reason) => hooks.closed(seat, `${code} ${reason}`));
  socket.on("message", (data) => {
    const text = data.toString();
    if (text[0] === "0") socket.send(`40${ROOM}`);
    else if (text[0] === "2") socket.send("3");
    else if (text.startsWith(`40${ROOM}`)) emit("sync", matchID, playerID, credentials, players);
    else if (text.startsWith(`42${ROOM}`)) hear(JSON.parse(text.slice(2 + ROOM.length)));
    else hooks.failed(seat, text.slice(0, 100));
  });

  function hear([kind, , body, log]) {
    if (kind === "sync") state = body.state;
    else if (kind === "update") state = body;
    else return;
    if (ready !== null) {
      ready();
      ready = null;
    }
    const own = ({ action: { payload } }) =>
      payload.playerID === playerID && payload.type === "choose";
    if (waiting && kind === "update" && log.some(own)) {
      waiting = false;
      hooks.acknowledged(seat);
    }
    const { G } = state;
    const now = JSON.stringify(G.moment);
    if (now === last) return;
    const began = last === "";
    last = now;
    if (seat.index === 0 && !began) watch(G);
    if (G.result === null) hooks.opened(seat);
  }

  function watch(G) {
    const all = [...G.earlier, G.rounds].flat();
    if (all.length > rounds) hooks.round();
    rounds = all.length;
    if (G.result !== null) {
      const points = all.map((round) => round.score.points);
      hooks.game({ rounds: all.map((round) => round.turns), points, total: G.points });
      move("again");
    }
  }

  return {
    ready: new Promise((resolve) => {
      ready = resolve;
    }),
    start: () => undefined,
    choose: () => {
      const { hand, moment } = state.G;
      const rest = [...hand];
      const draw = () => rest.splice(Math.floor(Math.random() * rest.length), 1)[0];
      waiting = true;
      move("choose", moment, Array.from({ length: PLAYS[moment.turn] }, draw));
    },
    close: () => socket.terminate(),
  };
}

module.exports = { makeTable, connect };
