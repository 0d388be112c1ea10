import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../../harness/eventually.js";
import type { Arrival, Behaviour } from "../../soak/receiver/arrival.js";
import { ReceiverServer } from "../../soak/receiver/receiver-server.js";

/** The judge of the soaks must know whether a sender still waited when its request was read. */
let server: ReceiverServer;
let port: number;
let arrivals: Arrival[];
let faults: string[];
let behaviour: Behaviour;
const sockets: Socket[] = [];
beforeEach(async () => {
  [arrivals, faults, behaviour] = [[], [], "ok"];
  server = new ReceiverServer(() => behaviour, {
    arrived: (_name, arrival) => void arrivals.push(arrival),
    fault: (sentence) => void faults.push(sentence),
  });
  [port = 0] = await server.start(1);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.down();
});

it.each<[Behaviour, RegExp]>([
  ["ok", / 204 /],
  ["error", / 500 /],
  ["redirect", / 302 /],
  ["reset", /^$/],
])("%s is what a waiting sender gets, and it is not broken off", async (chosen, line) => {
  behaviour = chosen;
  const socket = await opened();
  const from = socket.localPort;
  let answer = "";
  socket.on("data", (part) => (answer += part.toString()));
  const over = once(socket, chosen === "reset" ? "close" : "data");
  socket.write(requestOf("a"));
  await over;
  await eventually("its record", () => arrivals.length === 1);
  expect(answer.split("\r\n")[0]).toMatch(line);
  expect([arrivals[0]?.brokenOff, arrivals[0]?.port, faults]).toEqual([false, from, []]);
});

it("knows the requests that were broken off before they were read", async () => {
  const kept = await opened();
  const stale = await Promise.all(Array.from({ length: 6 }, opened));
  // The requests and the closes arrive in the sockets before the receiver reads them.
  for (const [i, socket] of stale.entries()) socket.write(requestOf(`stale-${i}`), () => socket.destroy());
  kept.write(requestOf("repeat"));
  await once(kept, "data");
  kept.write(requestOf("next"));
  await once(kept, "data");
  await eventually("every record", () => arrivals.length === 8);
  expect(
    arrivals
      .filter(({ brokenOff }) => brokenOff)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(stale.map((_, i) => `stale-${i}`));
  expect(faults).toEqual([]);
});

it("what is no event is a fault", async () => {
  const socket = await opened();
  socket.write(requestOf("a").replace(/webhook-signature: .*\r\n/, "webhook-signature: v1,x\r\n"));
  await once(socket, "data");
  expect(faults).toEqual(["soak-1: webhook-signature does not fit"]);
});

async function opened(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

function requestOf(id: string): string {
  const body = JSON.stringify({ id, session: "s", type: "message.read", created: "", data: { chat: { id: "5" }, until: "1", by: "me" } });
  const signature = createHmac("sha256", "t").update(`${id}.1.${body}`).digest("base64");
  const head = [
    "POST /soak-1 HTTP/1.1",
    "host: x",
    "x-token: t",
    `webhook-id: ${id}`,
    "webhook-timestamp: 1",
    `webhook-signature: v1,${signature}`,
    `content-length: ${body.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
