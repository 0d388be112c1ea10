import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IncomingTurns } from "../../../../shard/tenant/incoming-turns.js";
import { eventually } from "../../../harness/eventually.js";

/** Uses real sockets, and a clock that only work advances. */
const platform: Socket[] = [];
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => platform.push(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  for (const socket of platform) socket.destroy();
  server.close();
});

interface Connection {
  readonly own: Socket;
  readonly theirs: Socket;
  readonly read: () => string;
}

interface Shard {
  readonly turns: IncomingTurns;
  /** Sessions in the order of their work. */
  readonly worked: string[];
  /** Opens a connection for a tenant's session, and returns both ends. */
  open(tenant: string, session?: string): Promise<Connection>;
}

/** Each received piece takes `workMs` of work, which runs in promises as in the libraries. */
function aShard(workMs: number, isShared = true): Shard {
  let now = 0;
  const turns = new IncomingTurns({ isShared: () => isShared, tenantOf: (session) => session.split("/")[0] ?? "", nowMs: () => now });
  const worked: string[] = [];
  const open: Shard["open"] = async (tenant, session = "") => {
    const own = connect(port, "127.0.0.1");
    const [theirs] = (await Promise.all([once(server, "connection"), once(own, "connect")]))[0] as [Socket];
    turns.order(own, `${tenant}/${session}`);
    let text = "";
    own.on("data", (bytes) => {
      text += bytes.toString();
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => {
          now += workMs;
          worked.push(tenant);
        });
    });
    return { own, theirs, read: () => text };
  };
  return { turns, worked, open };
}

/** Opens the connections one after the other. */
async function openMany(open: Shard["open"], tenant: string, count: number): Promise<Connection[]> {
  const all: Connection[] = [];
  for (let session = 0; session < count; session++) all.push(await open(tenant, String(session)));
  return all;
}

/** Polls in each turn of the event loop, because pieces wait only briefly. */
async function untilWaiting(turns: IncomingTurns, least: number): Promise<void> {
  for (let checks = 0; turns.waiting < least; checks++) {
    if (checks > 10_000) throw new Error(`${turns.waiting} wait`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes to each socket and blocks the event loop, so that the next poll of the sockets finds data on all of them. */
function writeAll(all: readonly { readonly theirs: Socket }[], bytes = "x"): void {
  for (const { theirs } of all) theirs.write(bytes);
  const until = performance.now() + 50;
  while (performance.now() < until);
}

it("what has come in for one tenant's many sessions is not all worked at before another's", async () => {
  const { worked, open, turns } = aShard(1);
  const busy = await openMany(open, "busy", 100);
  const quiet = await open("quiet");
  writeAll([...busy, quiet]);
  await eventually("all", () => worked.length === 101, 10_000);
  // In the first four milliseconds any tenant may work, and after that the tenants take turns.
  expect(worked.indexOf("quiet")).toBeLessThan(4 + 2);
  expect(turns.waiting).toBe(0);
});

it("serves a newcomer next while others have much queued", async () => {
  const { worked, open } = aShard(1);
  const busy = await openMany(open, "busy", 200);
  const quiet = await open("quiet");
  writeAll(busy);
  await eventually("the first", () => worked.length > 0, 10_000);
  const before = worked.length;
  writeAll([quiet]);
  await eventually("all", () => worked.length === 201, 10_000);
  // The other tenants' share of one turn, twice, because the loop may have polled its sockets just before.
  expect(worked.indexOf("quiet") - before).toBeLessThan(2 * (4 + 1));
});

it("delays nothing for a tenant that is alone, nor while there is time", async () => {
  for (const { worked, open, turns } of [aShard(1_000, false), aShard(0.01)]) {
    const all = await openMany(open, "one", 50);
    let mostWaiting = 0;
    for (const { own } of all) own.prependListener("data", () => (mostWaiting = Math.max(mostWaiting, turns.waiting)));
    writeAll(all);
    await eventually("all", () => worked.length === 50, 10_000);
    expect(mostWaiting).toBe(0);
  }
});

it("keeps the order of a connection's bytes, its end, and reads no more of one that waits", async () => {
  const { turns, open } = aShard(5);
  const others = await openMany(open, "a", 10);
  const one = await open("a", "one");
  const ended = once(one.own, "end");
  const sent = Array.from({ length: 40 }, (_, part) => String(part % 10).repeat(100_000));
  for (const part of sent) {
    writeAll(others);
    one.theirs.write(part);
  }
  one.theirs.end();
  await untilWaiting(turns, 1);
  await ended;
  expect(one.read()).toBe(sent.join(""));
  expect(turns.waiting).toBeLessThanOrEqual(10);
});

it("drops queued work of a destroyed connection without blocking others", async () => {
  const { worked, open, turns } = aShard(5);
  const all = await openMany(open, "a", 20);
  const last = all.at(-1);
  writeAll(all);
  await untilWaiting(turns, 10);
  last?.own.destroy();
  const before = last?.read();
  await eventually("the others", () => worked.length >= 19 && turns.waiting === 0, 10_000);
  expect(last?.read()).toBe(before);
});
