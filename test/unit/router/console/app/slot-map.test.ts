import { describe, expect, it } from "vitest";
import { placeText, slotAfterKey, slotGroups, squares, taken } from "../../../../../router/console/app/pages/slots/slot-map.js";
import type { SlotAssignment } from "../../../../../router/console/app/api/operator-rows.js";

const place = (slot: number, change: Partial<SlotAssignment> = {}): SlotAssignment => ({
  slot,
  state: "held",
  member: "shard-1",
  pin: "",
  ...change,
});

describe("the map of slots", () => {
  it("groups slots by shard in the order of the names, and those without a shard last", () => {
    const places = [
      place(0, { member: "shard-10" }),
      place(1, { member: "shard-2" }),
      place(2, { state: "free", member: "" }),
      place(3, { state: "lost", member: "shard-2" }),
      place(4, { state: "draining", member: "shard-2" }),
    ];
    expect(slotGroups(places).map(({ label, colour, slots }) => [label, colour, slots])).toEqual([
      ["shard-2", "shard-1", [1, 4]],
      ["shard-10", "shard-2", [0]],
      ["Unassigned", "free", [2]],
      ["Lost", "lost", [3]],
    ]);
  });
  it("uses the eight colours again for further shards", () => {
    const groups = slotGroups(Array.from({ length: 9 }, (_, slot) => place(slot, { member: `shard-${slot}` })));
    expect([groups[0]?.colour, groups[8]?.colour]).toEqual(["shard-1", "shard-1"]);
  });
  it("shows taken slots at their new shard and keeps their pins", () => {
    const before = [place(0), place(1, { state: "lost", pin: "shard-2" })];
    expect(taken(before, "shard-2", [1])).toEqual([place(0), place(1, { member: "shard-2", pin: "shard-2" })]);
  });
  it.each([
    [place(17), "Slot 17 · shard-1"],
    [place(17, { pin: "shard-1" }), "Slot 17 · shard-1 · pinned"],
    [place(17, { pin: "shard-2", state: "draining" }), "Slot 17 · shard-1, draining · pinned to shard-2"],
    [place(17, { state: "free", member: "" }), "Slot 17 · unassigned"],
  ])("describes the slot %j", (row, text) => {
    expect(placeText(row)).toBe(text);
  });
  it("draws one square in its cell for each slot", () => {
    expect(squares([0, 65], 0.5)).toBe("M0.25 0.25h0.5v0.5h-0.5zM1.25 1.25h0.5v0.5h-0.5z");
  });
  it.each([
    [0, "ArrowLeft", 0],
    [0, "ArrowRight", 1],
    [1, "ArrowDown", 65],
    [1, "ArrowUp", 1],
    [4095, "ArrowDown", 4095],
    [7, "Home", 0],
    [7, "End", 4095],
    [7, "a", undefined],
  ])("moves from slot %i with %s to %j", (slot, key, next) => {
    expect(slotAfterKey(slot, key, 4096)).toBe(next);
  });
});
