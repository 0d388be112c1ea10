import { describe, expect, it, vi } from "vitest";
import { ann, bob, group, somePeople } from "./events-under-test.js";

const entry = { name: "Ann of the book", phone: "15550000002", lid: "900000000000002@lid" };
const book = { findOne: () => Promise.resolve(entry) };
/** The library's stored pairs of anonymous ids and numbers. */
const keys = (pairs: Record<string, string>) => () => ({ get: () => Promise.resolve(pairs as never) });

describe("a person", () => {
  it("has the name of the address book before the shown one", async () => {
    expect(await somePeople({ book }).person(ann, { pushName: "Shown", username: "ann" })).toEqual({
      id: ann,
      name: "Ann of the book",
      username: "ann",
      phone: "15550000002",
      lid: "900000000000002@lid",
      thumbnail: "",
    });
    const unnamed = { findOne: () => Promise.resolve({ ...entry, name: "" }) };
    expect((await somePeople({ book: unnamed }).person(ann, { pushName: "Shown" })).name).toBe("Shown");
    expect((await somePeople().person(ann, {})).name).toBe("");
  });

  it("has both ids if the stanza names them", async () => {
    const get = vi.fn();
    const people = somePeople({ keys: () => ({ get }) });
    expect(await people.person(bob, { otherJid: "15550000003@s.whatsapp.net" })).toMatchObject({ phone: "15550000003", lid: bob });
    expect(await people.person(ann, { otherJid: bob })).toMatchObject({ phone: "15550000002", lid: bob });
    expect(get).not.toHaveBeenCalled();
  });

  it("has both ids if the library has stored them", async () => {
    expect(await somePeople({ keys: keys({ "900000000000003_reverse": "15550000003" }) }).person(bob, {})).toMatchObject({
      phone: "15550000003",
      lid: bob,
    });
    expect(await somePeople({ keys: keys({ 15550000002: "900000000000002" }) }).person(ann, {})).toMatchObject({
      phone: "15550000002",
      lid: "900000000000002@lid",
    });
  });

  it("has empty fields for what is unknown", async () => {
    expect(await somePeople().person(bob, {})).toEqual({ id: bob, name: "", username: "", phone: "", lid: bob, thumbnail: "" });
  });

  it("without a JID is not looked up", async () => {
    const find = vi.fn();
    const people = somePeople({ book: { findOne: find }, keys: () => ({ get: find }) });
    expect(await people.person("", { pushName: "Shown" })).toMatchObject({ id: "", name: "Shown", phone: "", lid: "" });
    expect(find).not.toHaveBeenCalled();
  });

  it("is not described while the stored data cannot be read", async () => {
    const failing = { findOne: () => Promise.reject(new Error("redis is away")) };
    await expect(somePeople({ book: failing }).person(ann, {})).rejects.toThrow("redis is away");
  });
});

it("a group has its subject if that is in memory", () => {
  expect(somePeople().group(group)).toEqual({ id: group, name: "Family", username: "", phone: "", lid: "", thumbnail: "" });
  expect(somePeople({ subjectOf: () => undefined }).group(group).name).toBe("");
});
