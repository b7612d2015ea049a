// HTTP with few connections that stay open, as quick as Node has it.
"use strict";

const http = require("node:http");

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

function post(url, body) {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method: "POST", headers }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const answer = Buffer.concat(parts).toString();
        if (response.statusCode < 300) resolve(JSON.parse(answer));
        else reject(new Error(`${response.statusCode} ${answer.slice(0, 200)}`));
      });
    });
    request.on("error", reject);
    request.end(text);
  });
}

// Run a job for each item, so many at a time.
async function each(items, width, job) {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of left) await job(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

module.exports = { post, each };
