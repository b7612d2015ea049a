// boardgame.io's own server with its defaults: storage in memory, socket.io, the lobby's API.
"use strict";

const { Server } = require("boardgame.io/server");
const { FiveTwoOneOne } = require("./game.js");

const server = Server({ games: [FiveTwoOneOne], origins: [/127\.0\.0\.1/] });
server.run({ port: Number(process.argv[2]) });
