// How five211's server is spoken to (docs/protocol.md): frames of changes, answers by id.
"use strict";

const WebSocket = require("ws");
const { post } = require("./web.js");

async function makeTable(where, { players, variant }) {
  const body = { name: "Seat 0", players, variant, words: false };
  const host = await post(`${where()}/api/tables`, body);
  const seats = [host];
  for (let seat = 1; seat < players; seat += 1) {
    const sit = { name: `Seat ${seat}`, code: host.code, words: false };
    seats.push(await post(`${where(host.table)}/api/tables/${host.table}/seats`, sit));
  }
  return seats.map(({ table, token }) => ({ table, token }));
}

function connect(base, ticket, seat, hooks) {
  const address = `${base.replace("http", "ws")}/socket?table=${ticket.table}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const view = {};
  let [sent, last, ready] = [0, "", null];
  const send = (message) => {
    const text = JSON.stringify(message);
    hooks.said(text.length);
    socket.send(text);
  };
  socket.on("open", () => send({ type: "hello", protocol: 1, ...ticket }));
  socket.on("error", (error) => hooks.failed(seat, error.message));
  socket.on("close", (code, reason) => hooks.closed(seat, `${code} ${reason}`));
  socket.on("message", (data) => {
    hooks.heard(data.length);
    const frame = JSON.parse(data);
    for (const answer of frame.answers) {
      if (!answer.done) hooks.failed(seat, answer.error.code);
      else if (answer.id === `${sent}`) hooks.acknowledged(seat);
    }
    Object.assign(view, frame.view);
    if (ready !== null) {
      ready();
      ready = null;
    }
    if (seat.index === 0) watch(frame.events);
    if (frame.view.moment === undefined && frame.view.phase === undefined) return;
    const now = JSON.stringify(view.moment);
    if (view.phase === "choosing" && now !== last) {
      last = now;
      hooks.opened(seat);
    }
  });

  function watch(events) {
    for (const { event } of events) {
      if (event === "round_scored") hooks.round();
      if (event === "game_ended") {
        const rounds = [...view.earlier, view.rounds].flat();
        const points = rounds.map((round) => round.score.points);
        hooks.game({ rounds: rounds.map((round) => round.turns), points, total: view.points });
        send({ type: "rematch" });
        send({ type: "start" });
      }
    }
  }

  return {
    ready: new Promise((resolve) => {
      ready = resolve;
    }),
    start: () => {
      if (seat.index === 0) send({ type: "start" });
    },
    choose: () => {
      const cards = view.choices[Math.floor(Math.random() * view.choices.length)];
      sent += 1;
      send({ type: "choose", id: `${sent}`, moment: view.moment, cards });
    },
    close: () => socket.terminate(),
  };
}

module.exports = { makeTable, connect };
