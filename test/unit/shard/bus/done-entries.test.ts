import { describe, expect, it } from "vitest";
import { DoneEntries } from "../../../../shard/bus/done-entries.js";

describe("DoneEntries", () => {
  it("takes those of some milliseconds off with one command, and each once", async () => {
    const removals: (readonly string[])[] = [];
    const entries = new DoneEntries(async (ids) => removals.push([...ids]));
    const first = entries.add("1-0");
    await Promise.resolve();
    await Promise.all([first, entries.add("2-0"), entries.add("3-0")]);
    expect(removals).toEqual([["1-0", "2-0", "3-0"]]);
    await entries.add("4-0");
    expect(removals).toEqual([["1-0", "2-0", "3-0"], ["4-0"]]);
  });

  it("does not wait for more when there are many", async () => {
    const removals: (readonly string[])[] = [];
    const entries = new DoneEntries(async (ids) => removals.push([...ids]));
    const ids = Array.from({ length: 130 }, (_, n) => `${n}-0`);
    const done = ids.map((id) => entries.add(id));
    expect(removals.map(({ length }) => length)).toEqual([64, 64]);
    await Promise.all(done);
    expect(removals.map(({ length }) => length)).toEqual([64, 64, 2]);
    expect(removals.flat()).toEqual(ids);
  });

  it("takes off with the next those that could not be, once, and as many as a stream may hold", async () => {
    let fails = true;
    const removals: (readonly string[])[] = [];
    const entries = new DoneEntries(async (ids) => {
      if (fails) throw new Error("away");
      removals.push(ids);
    });
    await Promise.allSettled([entries.add("1-0"), entries.add("2-0")]);
    await Promise.allSettled([entries.add("2-0")]);
    fails = false;
    await entries.add("3-0");
    await entries.add("4-0");
    expect(removals).toEqual([["1-0", "2-0", "3-0"], ["4-0"]]);
    fails = true;
    await Promise.allSettled(Array.from({ length: 2_500 }, (_, n) => entries.add(`${n}-1`)));
    fails = false;
    await entries.add("5-0");
    expect(removals.at(-1)).toHaveLength(2_001);
    expect(removals.at(-1)).toContain("2499-1");
  });

  it("rejects all callers of one failed command, and no others", async () => {
    let fails = true;
    const entries = new DoneEntries(async () => {
      if (fails) throw new Error("away");
    });
    const outcomes = await Promise.allSettled([entries.add("1-0"), entries.add("2-0")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fails = false;
    await expect(entries.add("1-0")).resolves.toBeUndefined();
  });
});
