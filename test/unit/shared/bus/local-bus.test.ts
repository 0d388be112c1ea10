import { expect, it, vi } from "vitest";
import type { OpenEnvelope, Reply } from "../../../../shared/bus/envelope.js";
import { LocalBus, type LocalEntry } from "../../../../shared/bus/local-bus.js";
import { newCommandId } from "../../../../shared/contract/ids.js";
import { commandStreamMax } from "../../../../shared/limits.js";
import { eventually } from "../../../harness/eventually.js";

const command = (): OpenEnvelope => ({ id: newCommandId(), opened: { text: "hi" } }) as unknown as OpenEnvelope;

/** A bus whose shard has a number of places. */
function withPlaces(places: number) {
  const bus = new LocalBus("shard-1");
  const shard = { places, got: [] as LocalEntry[] };
  bus.read({
    onEntry: (entry) => {
      shard.places -= 1;
      shard.got.push(entry);
    },
    wants: () => shard.places > 0,
  });
  return { bus, shard };
}

it("serves the shard of its process from the time at which that shard reads", () => {
  const bus = new LocalBus("shard-1");
  expect(bus.serves("shard-1")).toBe(false);
  bus.read({ onEntry: () => undefined, wants: () => true });
  expect([bus.serves("shard-1"), bus.serves("shard-2")]).toEqual([true, false]);
  bus.stop();
  expect(bus.serves("shard-1")).toBe(false);
});

it("hands commands and cancellations over at once, as they are", () => {
  const { bus, shard } = withPlaces(10);
  const envelope = command();
  const id = bus.enqueue(envelope);
  bus.cancel(envelope.id);
  expect(shard.got).toEqual([
    { id, envelope },
    { id: expect.not.stringMatching(id) as string, cancelled: envelope.id },
  ]);
  expect(shard.got[0]).toHaveProperty("envelope", envelope);
});

it("keeps the order while the shard has no place, and goes on when it has", async () => {
  const { bus, shard } = withPlaces(1);
  const ids = [1, 2, 3].map(() => bus.enqueue(command()));
  expect(shard.got.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  shard.places = 1;
  const late = bus.enqueue(command());
  await eventually("the second command", () => Promise.resolve(shard.got.length === 2));
  shard.places = 10;
  await eventually("all commands", () => Promise.resolve(shard.got.length === 4));
  expect(shard.got.map(({ id }) => id)).toEqual([...ids, late]);
});

it("is busy with as many commands as a stream holds, until one is done", () => {
  const { bus } = withPlaces(commandStreamMax * 2);
  const ids = Array.from({ length: commandStreamMax }, () => bus.enqueue(command()));
  expect([bus.enqueue(command()), bus.entries]).toEqual(["BUSY", commandStreamMax]);
  bus.done(ids[0] ?? "");
  bus.done(ids[0] ?? "");
  expect(bus.entries).toBe(commandStreamMax - 1);
  expect(bus.enqueue(command())).toMatch(/^local-/);
  expect(bus.enqueue(command())).toBe("BUSY");
});

it("knows how long ago a command came", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { bus } = withPlaces(1);
    const id = bus.enqueue(command());
    vi.advanceTimersByTime(250);
    expect([bus.ageOf(id), bus.ageOf("local-999")]).toEqual([250, 0]);
  } finally {
    vi.useRealTimers();
  }
});

it("brings replies to the router", () => {
  const { bus } = withPlaces(1);
  const replies: Reply[] = [];
  const reply = { outcome: { kind: "expired" } } as Reply;
  bus.reply(reply);
  bus.listen((one) => replies.push(one));
  bus.reply(reply);
  expect(replies).toEqual([reply]);
});
