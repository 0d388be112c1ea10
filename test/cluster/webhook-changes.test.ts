import { once } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Courier } from "../../shard/webhook/courier.js";
import { aCourier } from "../harness/courier.js";
import { eventually } from "../harness/eventually.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { signatureFits, WebhookReceiver } from "../harness/webhook-receiver.js";
import { WebhookSender } from "../harness/webhook-sender.js";

/** Changes the webhook at random moments while events flow. */
const timing = { attemptMs: 2_000, delaysMs: [2, 5], delayMaxMs: 10, circuitMs: 20 };
let redis: TestRedis;
let courier: Courier;
let receivers: WebhookReceiver[];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  courier = aCourier({ timing });
  receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
});
afterEach(async () => {
  await courier.stop();
  for (const receiver of receivers) await receiver.stop();
});

interface Period {
  on: boolean;
  period: number;
}
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
const reached = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, "abort");
};
const at = (index: number): WebhookReceiver => {
  const receiver = receivers[index % receivers.length];
  if (receiver === undefined) throw new Error("no receiver");
  return receiver;
};

it("loses nothing and keeps order while URL and token change 300 times", async () => {
  const sender = await WebhookSender.start(redis.client, courier);
  const taken: string[] = [];
  const bodies = new Map<string, string>();
  let differing = 0;
  let forged = 0;
  for (const receiver of receivers) {
    receiver.respond = (request) => {
      const before = bodies.get(request.id);
      if (before !== undefined && before !== request.body.toString("hex")) differing += 1;
      bodies.set(request.id, request.body.toString("hex"));
      if (!signatureFits(request, String(request.headers["x-token"]))) forged += 1;
      if (Math.random() < 0.2) return 500;
      if (!taken.includes(request.id)) taken.push(request.id);
      return 200;
    };
  }
  await sender.set(at(0).url, "token-0");
  const published: string[] = [];
  let flowing = true;
  const flow = (async () => {
    while (flowing) {
      published.push(...(await sender.emit(3)));
      await moment();
    }
  })();
  for (let change = 1; change <= 300; change += 1) {
    await sender.set(at(change).url, `token-${change}`);
    await moment();
  }
  flowing = false;
  await flow;
  await sender.emptied();
  expect(published.length).toBeGreaterThan(300);
  expect(taken).toEqual(published);
  expect([differing, forged]).toEqual([0, 0]);
});

it("delivers nothing from before it is turned on or after it is turned off, 200 times", async () => {
  const sender = await WebhookSender.start(redis.client, courier);
  /** The period of the webhook while the event was created; `undefined` around a change. */
  let now: Period | undefined = { on: false, period: 0 };
  const made = new Map<string, Period | undefined>();
  const arrived: { id: string; during: Period | undefined }[] = [];
  for (const receiver of receivers) receiver.respond = ({ id }) => (arrived.push({ id, during: now }), Math.random() < 0.1 ? 500 : 200);
  let flowing = true;
  const flow = (async () => {
    while (flowing) {
      const before = now;
      const ids = await sender.emit(2);
      for (const id of ids) made.set(id, before === now ? before : undefined);
      if (Math.random() < 0.5) await moment();
    }
  })();
  const drained: number[] = [];
  for (let period = 1; period <= 400; period += 1) {
    const on = period % 2 === 1;
    now = undefined;
    await sender.set(on ? at(period).url : "");
    const current = { on, period };
    now = current;
    await moment();
    if (on && period % 10 === 1) {
      const [last = ""] = await sender.emit(1);
      made.set(last, current);
      await eventually("what was told so far", () => arrived.some(({ id }) => id === last));
      await eventually("its place in the outbox to be free", async () =>
        (await sender.outbox.oldest(50)).every((event) => !("id" in event) || event.id > last),
      );
      drained.push(period);
    }
  }
  flowing = false;
  await flow;
  const ids = new Set(arrived.map(({ id }) => id));
  const early = [...made].filter(([id, during]) => during?.on === false && ids.has(id));
  // A request in flight may arrive during the change. It has no period, or is the only request of the off period.
  const late = arrived.filter(({ during }) => during?.on === false);
  const lateInOne = new Map<number, number>();
  for (const { during } of late) lateInOne.set(during?.period ?? 0, (lateInOne.get(during?.period ?? 0) ?? 0) + 1);
  const otherEpoch = arrived.filter(
    ({ id, during }) => during?.on === true && made.get(id) !== undefined && made.get(id)?.period !== during.period,
  );
  expect({ early: early.length, otherEpoch: otherEpoch.length }).toEqual({ early: 0, otherEpoch: 0 });
  expect(Math.max(0, ...lateInOne.values())).toBeLessThanOrEqual(1);
  expect([arrived.length > 200, drained.length]).toEqual([true, 40]);
  // In a drained period every event before the last arrived one has arrived.
  for (const period of drained) {
    const own = [...made].filter(([, during]) => during?.period === period).map(([id]) => id);
    const last = own.findLastIndex((id) => ids.has(id));
    expect(own.slice(0, last + 1).filter((id) => !ids.has(id))).toEqual([]);
  }
  const firsts = [...new Set(arrived.map(({ id }) => id))];
  expect(firsts).toEqual([...firsts].sort());
});

it("sends nothing after off when a new owner was just reading the settings", async () => {
  const former = await WebhookSender.start(redis.client, courier);
  at(0).respond = () => 500;
  await former.set(at(0).url);
  await former.emit(1);
  await eventually("an attempt in vain", () => at(0).requests.length > 0);
  await former.delivery.close();
  const owner = new WebhookSender(former.session, courier);
  const [read, goOn] = [new AbortController(), new AbortController()];
  const oldest = owner.outbox.oldest.bind(owner.outbox);
  owner.outbox.oldest = async (count) => {
    const events = await oldest(count);
    read.abort();
    await reached(goOn.signal);
    return events;
  };
  owner.delivery.wake();
  await reached(read.signal);
  await owner.set("");
  const before = at(0).requests.length;
  goOn.abort();
  await eventually("the loop's end", () => !owner.delivery.busy);
  expect(at(0).requests.length).toBe(before);
  await owner.set(at(1).url);
  // Counting starts again, and the receiver has already seen the first id.
  const [, ...ids] = await owner.emit(3);
  await eventually("what came after on", () => at(1).requests.length >= ids.length);
  expect(at(1).requests.map(({ id }) => id)).toEqual(ids);
});
