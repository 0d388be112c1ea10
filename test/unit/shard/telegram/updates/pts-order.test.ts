import { describe, expect, test } from "vitest";
import { PtsOrder } from "../../../../../shard/telegram/updates/pts-order.js";

/** Returns an update that moves the count to `pts`, with that number as its item. */
const at = (pts: number, count = 1): { pts: number; count: number; item: number } => ({ pts, count, item: pts });

describe("counted updates", () => {
  test("are applied in order, held when early, dropped when already applied", () => {
    const order = new PtsOrder<number>(10);
    expect(order.offer(at(11))).toEqual({ outcome: "applied", ready: [11] });
    expect(order.offer(at(11))).toEqual({ outcome: "repeated", ready: [] });
    expect(order.offer(at(14))).toEqual({ outcome: "held", ready: [] });
    expect(order.offer(at(13))).toEqual({ outcome: "held", ready: [] });
    expect(order.waiting).toBe(2);
    expect(order.offer(at(12))).toEqual({ outcome: "applied", ready: [12, 13, 14] });
    expect([order.pts, order.waiting]).toEqual([14, 0]);
  });

  test("may count several, or nothing", () => {
    const order = new PtsOrder<number>(10);
    expect(order.offer(at(13, 3)).ready).toEqual([13]);
    expect(order.offer(at(13, 0)).ready).toEqual([13]);
    expect(order.offer(at(14, 0)).outcome).toBe("held");
    expect(order.offer(at(14, 1)).ready).toEqual([14, 14]);
  });

  test("that overlap applied updates wait for the difference", () => {
    const order = new PtsOrder<number>(10);
    expect(order.offer(at(12, 3)).outcome).toBe("held");
    expect(order.moveTo(12)).toEqual([]);
    expect(order.waiting).toBe(0);
  });

  test("go on behind a difference", () => {
    const order = new PtsOrder<number>(10);
    for (const pts of [13, 15, 16, 20]) order.offer(at(pts));
    expect(order.moveTo(14)).toEqual([15, 16]);
    expect([order.pts, order.waiting]).toEqual([16, 1]);
    expect(order.skip()).toEqual([20]);
    expect([order.pts, order.waiting]).toEqual([20, 0]);
  });

  test("wait if requested, even in order", () => {
    const order = new PtsOrder<number>(10);
    order.hold(at(11));
    expect(order.waiting).toBe(1);
    expect(order.moveTo(10)).toEqual([11]);
  });
});

test("any order of arrival, with repeats, ends in the order of the counts", () => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const sent: { pts: number; count: number; item: number }[] = [];
    for (let pts = 0; sent.length < 30; ) {
      const count = 1 + random(3);
      sent.push(at((pts += count), count));
    }
    const arriving = [...sent, ...sent.slice(0, 10)].map((update) => ({ update, key: random(1_000) })).sort((a, b) => a.key - b.key);
    const order = new PtsOrder<number>(0);
    expect(arriving.flatMap(({ update }) => order.offer(update).ready)).toEqual(sent.map(({ item }) => item));
    expect(order.waiting).toBe(0);
  }
});
