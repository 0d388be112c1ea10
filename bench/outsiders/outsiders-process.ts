import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import { serveParent } from "../child.js";
import type { OutsidersMessage, OutsidersPlan, OutsidersSeen } from "./outsiders.js";

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "leave") return await leave();
  await send(order.plan);
  return {};
});

const isMessage = typia.createAssert<OutsidersMessage>();
const turnMs = 5;
/**
 * After a pause of this process, only some of the due connections are opened at once: the kernel's queue of new connections is short, and
 * dropped ones return a second later.
 */
const turnMost = 20;
/** A router waits 5 s for a body. */
const responseTimeoutMs = 7_000;
const closeMs = 10_000;
const statusEnd = "HTTP/1.1 200".length;

interface Outsider {
  readonly socket: Socket;
  /** The beginning of the response. */
  start: string;
  outcome: string | undefined;
}

const open = new Set<Outsider>();
let outcomes: Record<string, number> = {};
let [openMost, headsPerSecond] = [0, 0];

async function send({ port, from, head, headsPerSecond: rate, seconds }: OutsidersPlan): Promise<void> {
  outcomes = {};
  openMost = 0;
  const most = Math.round(rate * seconds);
  const startedAt = performance.now();
  const elapsed = (): number => (performance.now() - startedAt) / 1000;
  for (let begun = 0; begun < most; ) {
    const due = Math.min(most, begun + turnMost, Math.floor(elapsed() * rate));
    for (; begun < due; begun++) begin(connect({ host: "127.0.0.1", port, localAddress: from }), head);
    openMost = Math.max(openMost, open.size);
    await sleep(turnMs);
  }
  headsPerSecond = most / elapsed();
}

function begin(socket: Socket, head: string): void {
  const outsider: Outsider = { socket, start: "", outcome: undefined };
  open.add(outsider);
  socket.write(head);
  socket.on("data", (part: Buffer) => {
    if (outsider.outcome !== undefined) return;
    // The first part may have only a few bytes.
    outsider.start += part.toString("latin1", 0, statusEnd);
    if (outsider.start.length >= statusEnd) outsider.outcome = outsider.start.slice("HTTP/1.1 ".length, statusEnd);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (outsider.outcome ??= error.code ?? error.message));
  socket.on("close", () => {
    open.delete(outsider);
    const outcome = outsider.outcome ?? "closed without an answer";
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
}

async function leave(): Promise<OutsidersSeen> {
  await until(() => [...open].every(({ outcome }) => outcome !== undefined), responseTimeoutMs);
  for (const outsider of open) {
    outsider.outcome ??= "left open without an answer";
    // A connection that is closed normally keeps its port for a minute, and ports would run out.
    outsider.socket.resetAndDestroy();
  }
  await until(() => open.size === 0, closeMs);
  return { headsPerSecond, outcomes, openMost };
}

async function until(over: () => boolean, ms: number): Promise<void> {
  for (const endsAt = performance.now() + ms; !over() && performance.now() < endsAt; ) await sleep(turnMs);
}
