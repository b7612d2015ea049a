// Which of several processes a request or a socket goes to: each to the next in turn; all of a table
// to the same one, as nginx does by ?table= (deploy/nginx.conf), which is seldom the one that it was
// made at; or all tables made at the last, and everybody at the first.
"use strict";

function placing(bases, by) {
  let next = 0;
  const inTurn = () => bases[next++ % bases.length];
  return (table) => {
    if (by === "first") return table === undefined ? bases.at(-1) : bases[0];
    if (by === "turn" || table === undefined) return inTurn();
    let hash = 0;
    for (const letter of table) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
    return bases[hash % bases.length];
  };
}

module.exports = { placing };
