import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";
import { UnreadableParts } from "../../../../shard/session/unreadable-parts.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Returns parts whose reads fail until `sound` contains them. */
function someParts(): { parts: UnreadableParts; sound: Set<string>; reads: string[]; lifted: () => number; leave: () => void } {
  const [sound, reads] = [new Set<string>(), [] as string[]];
  let [lifted, live] = [0, true];
  const read = (part: string) => () => {
    reads.push(part);
    return sound.has(part) ? Promise.resolve() : Promise.reject(new UnreadableRecord(part));
  };
  const parts = new UnreadableParts({
    rereads: new Map(["secret", "webhook"].map((part) => [part, read(part)])),
    live: () => live,
    onAllOpen: () => void (lifted += 1),
    log: silentLog,
  });
  return { parts, sound, reads, lifted: () => lifted, leave: () => void (live = false) };
}

const record = (part: string): UnreadableRecord => new UnreadableRecord(part);
const minutes = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 60_000);

it("are read again once a minute, however often they were found, until all of them open", async () => {
  const { parts, sound, reads, lifted } = someParts();
  for (let time = 0; time < 100; time += 1) expect(parts.found(record("secret"))).toBe(true);
  expect(parts.found(record("webhook"))).toBe(true);
  await minutes(3);
  expect(reads.length).toBe(6);
  sound.add("secret");
  await minutes(2);
  expect(lifted()).toBe(0);
  sound.add("webhook");
  await minutes(1);
  expect(lifted()).toBe(1);
  reads.length = 0;
  await minutes(10);
  expect(reads).toEqual([]);
});

it("wait for parts that their users read, but not for sent messages", async () => {
  const { parts, sound, reads, lifted } = someParts();
  expect(parts.found(record("sent message"))).toBe(false);
  await minutes(2);
  parts.found(record("credentials"));
  parts.found(record("secret"));
  sound.add("secret");
  await minutes(2);
  expect({ reads, lifted: lifted() }).toEqual({ reads: ["secret"], lifted: 0 });
  parts.opened("credentials");
  parts.found(record("secret"));
  await minutes(1);
  expect(lifted()).toBe(1);
});

it("are not read again once the session has another owner", async () => {
  const { parts, reads, lifted, leave } = someParts();
  parts.found(record("secret"));
  await minutes(1);
  leave();
  await minutes(10);
  expect({ reads, lifted: lifted() }).toEqual({ reads: ["secret"], lifted: 0 });
});
