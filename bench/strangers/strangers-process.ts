import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import { serveParent } from "../child.js";
import type { StrangersMessage, StrangersPlan, StrangersSeen } from "./strangers.js";

serveParent(async (message) => {
  const told = isMessage(message);
  if (told.kind === "leave") return await leave();
  await send(told.plan);
  return {};
});

const isMessage = typia.createAssert<StrangersMessage>();
const turnMs = 5;
/**
 * After a pause of this process, only some of the due connections are opened at once: the kernel's queue of new connections is short, and
 * dropped ones return a second later.
 */
const turnMost = 20;
/** A router waits 5 s for a body. */
const answerMs = 7_000;
const closeMs = 10_000;
const statusEnd = "HTTP/1.1 200".length;

interface Stranger {
  readonly socket: Socket;
  /** The beginning of the response. */
  start: string;
  outcome: string | undefined;
}

const open = new Set<Stranger>();
let outcomes: Record<string, number> = {};
let [openMost, headsPerSecond] = [0, 0];

async function send({ port, from, head, headsPerSecond: rate, seconds }: StrangersPlan): Promise<void> {
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
  const stranger: Stranger = { socket, start: "", outcome: undefined };
  open.add(stranger);
  socket.write(head);
  socket.on("data", (part: Buffer) => {
    if (stranger.outcome !== undefined) return;
    // The first part may have only a few bytes.
    stranger.start += part.toString("latin1", 0, statusEnd);
    if (stranger.start.length >= statusEnd) stranger.outcome = stranger.start.slice("HTTP/1.1 ".length, statusEnd);
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (stranger.outcome ??= error.code ?? error.message));
  socket.on("close", () => {
    open.delete(stranger);
    const outcome = stranger.outcome ?? "closed without an answer";
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
}

async function leave(): Promise<StrangersSeen> {
  await until(() => [...open].every(({ outcome }) => outcome !== undefined), answerMs);
  for (const stranger of open) {
    stranger.outcome ??= "left open without an answer";
    // A connection that is closed normally keeps its port for a minute, and ports would run out.
    stranger.socket.resetAndDestroy();
  }
  await until(() => open.size === 0, closeMs);
  return { headsPerSecond, outcomes, openMost };
}

async function until(over: () => boolean, ms: number): Promise<void> {
  for (const endsAt = performance.now() + ms; !over() && performance.now() < endsAt; ) await sleep(turnMs);
}
