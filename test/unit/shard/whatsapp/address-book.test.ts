import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { AddressBook } from "../../../../shard/whatsapp/address-book.js";
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
  it("forgets who left the book", async () => {
    const book = aBook();
    book.learn([ann, { id: "628222@s.whatsapp.net", name: "Bob" }]);
    book.learn([{ id: "628111@s.whatsapp.net", lid: "77@lid" }]);
    expect((await book.all()).map(({ name }) => name)).toEqual(["Bob"]);
  });
  it("takes people only", async () => {
    const book = aBook();
    book.learn([{ id: "1203@g.us", name: "Group" }]);
    expect(await book.all()).toEqual([]);
  });
});
