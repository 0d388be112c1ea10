import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { AddressBook } from "../../../../shard/whatsapp/address-book.js";
import { removedName } from "../../../../shard/whatsapp/network/app-state-mutations.js";
import { TestContext } from "../../../platform/session-context.js";

const ann = { id: "628111@s.whatsapp.net", lid: "77@lid", name: "Ann" };
const aBook = () => new AddressBook(new TestContext().peers, silentLog);

describe("AddressBook", () => {
  it("finds a contact by number and by anonymous id, whatever the device", async () => {
    const book = aBook();
    book.learn([ann]);
    await book.idle();
    const entry = { name: "Ann", phone: "628111", lid: "77@lid" };
    expect(await book.find(["628111:3@s.whatsapp.net", "77@lid", "78@lid"])).toEqual([entry, entry, undefined]);
    expect(await book.all()).toEqual([entry]);
  });
  it("forgets contacts that were removed from the book", async () => {
    const book = aBook();
    book.learn([ann, { id: "628222@s.whatsapp.net", name: "Bob" }]);
    book.learn([{ id: "628111@s.whatsapp.net", lid: "77@lid" }]);
    expect((await book.all()).map(({ name }) => name)).toEqual(["Bob"]);
  });
  it("forgets both ids of a removed contact, whichever the phone reports", async () => {
    for (const id of [ann.id, ann.lid]) {
      const book = aBook();
      book.learn([ann, { id: "628222@s.whatsapp.net", lid: "78@lid", name: "Bob" }]);
      book.learn([{ id, name: removedName }]);
      expect((await book.all()).map(({ name }) => name)).toEqual(["Bob"]);
      expect(await book.find([ann.id, ann.lid])).toEqual([undefined, undefined]);
    }
  });
  it("renames a contact under both ids, whichever the phone reports", async () => {
    for (const id of [ann.id, ann.lid]) {
      const book = aBook();
      book.learn([ann]);
      book.learn([{ id, name: "Anna" }]);
      await book.idle();
      const entry = { name: "Anna", phone: "628111", lid: "77@lid" };
      expect(await book.find([ann.id, ann.lid])).toEqual([entry, entry]);
    }
  });
  it("forgets a number that a contact has no longer", async () => {
    const book = aBook();
    book.learn([ann]);
    book.learn([{ ...ann, id: "628333@s.whatsapp.net" }]);
    expect((await book.all()).map(({ phone }) => phone)).toEqual(["628333"]);
    expect(await book.find([ann.id])).toEqual([undefined]);
  });
  it("omits contacts for which an earlier version removed one of two ids", async () => {
    const { peers } = new TestContext();
    await peers.setMany(new Map([["77@lid", JSON.stringify({ name: "Ann", phone: "628111", lid: "77@lid" })]]));
    expect(await new AddressBook(peers, silentLog).all()).toEqual([]);
  });
  it("reads a person once from the store, until the book changes", async () => {
    const { peers } = new TestContext();
    const reads: string[] = [];
    const counted = Object.assign(Object.create(peers) as typeof peers, {
      getMany: (names: readonly string[]) => {
        reads.push(...names);
        return peers.getMany(names);
      },
    });
    const book = new AddressBook(counted, silentLog);
    for (let n = 0; n < 2; n++) expect(await book.findOne("628111:2@s.whatsapp.net")).toBeUndefined();
    expect(reads).toEqual([ann.id]);
    book.learn([ann]);
    await book.idle();
    for (let n = 0; n < 2; n++) expect(await book.findOne(ann.id)).toMatchObject({ name: "Ann" });
    await book.clear();
    expect(await book.findOne(ann.id)).toBeUndefined();
  });
  it("does not keep what it read while the book changed", async () => {
    const { peers } = new TestContext();
    let change: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => (change = resolve));
    const slow = Object.assign(Object.create(peers) as typeof peers, {
      getMany: async (names: readonly string[]) => {
        const found = await peers.getMany(names);
        await changed;
        return found;
      },
    });
    const book = new AddressBook(slow, silentLog);
    const reading = book.findOne(ann.id);
    book.learn([ann]);
    change();
    await Promise.all([reading, book.idle()]);
    expect(await book.findOne(ann.id)).toMatchObject({ name: "Ann" });
  });
  it("takes people only", async () => {
    const book = aBook();
    book.learn([{ id: "1203@g.us", name: "Group" }]);
    expect(await book.all()).toEqual([]);
  });
});
