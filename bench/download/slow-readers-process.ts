import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import { serveParent } from "../child.js";
import type { SlowReadersMessage, SlowReadersPlan, SlowReadersState } from "./slow-readers.js";

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "state") return state();
  await start(order.plan);
  return {};
});

const isMessage = typia.createAssert<SlowReadersMessage>();
/** Interval at which bytes are read from a socket. */
const tickMs = 200;

const openingAtOnce = 32;
const settledBytes = 400_000;
const attemptsMost = 5;

const readers: SlowReader[] = [];
let takenAt = 0;
let readAt = performance.now();

async function start({ urls, bytesPerSecond }: SlowReadersPlan): Promise<void> {
  setInterval(() => {
    for (const reader of readers) reader.take((bytesPerSecond * tickMs) / 1000);
  }, tickMs);
  // Opens the readers in groups: once a reader has read this much, the kernel has buffered all it can for it, and the platform is free for
  // the next one.
  const waiting = [...urls];
  const openSome = async (): Promise<void> => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      for (let attempt = 1; ; attempt++) {
        const reader = await SlowReader.open(url);
        readers.push(reader);
        while (reader.taken < settledBytes && !reader.lost) await sleep(tickMs);
        if (!reader.lost) break;
        // On a busy machine the platform may take longer than a request may wait, so the client retries.
        readers.splice(readers.indexOf(reader), 1);
        if (attempt === attemptsMost) throw new Error("a reader was refused again and again");
        await sleep(1_000);
      }
    }
  };
  await Promise.all(Array.from({ length: openingAtOnce }, openSome));
}

function state(): SlowReadersState {
  const now = performance.now();
  const taken = readers.reduce((sum, reader) => sum + reader.taken, 0);
  const bytesPerSecond = (taken - takenAt) / readers.length / ((now - readAt) / 1000);
  takenAt = taken;
  readAt = now;
  return { open: readers.filter(({ lost }) => !lost).length, lost: readers.filter(({ lost }) => lost).length, bytesPerSecond };
}

/** Never flows: unread bytes stay in the kernel, except for a few KiB that Node reads ahead. */
class SlowReader {
  taken = 0;
  lost = false;
  private allowed = 0;

  private constructor(private readonly socket: Socket) {
    socket.pause();
    socket.on("error", () => (this.lost = true));
    socket.on("close", () => (this.lost = true));
  }

  static async open(url: string): Promise<SlowReader> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const reader = new SlowReader(socket);
    await once(socket, "connect");
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return reader;
  }

  take(bytes: number): void {
    this.allowed += bytes;
    while (this.allowed > 0) {
      const part: Buffer | null = this.socket.read(Math.min(this.allowed, this.socket.readableLength)) as Buffer | null;
      if (part === null || part.length === 0) break;
      if (this.taken === 0 && !part.subarray(0, 12).equals(Buffer.from("HTTP/1.1 200"))) this.lost = true;
      this.taken += part.length;
      this.allowed -= part.length;
    }
    // A reader that found no bytes does not catch up at a higher pace later.
    this.allowed = Math.min(this.allowed, bytes);
  }
}
