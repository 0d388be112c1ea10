import { beforeEach, expect, it } from "vitest";
import { admitsAgain, type Reader } from "../../../../shard/whatsapp/group/admits-again.js";
import { KeyStore } from "../../../../shard/whatsapp/keys/key-store.js";

const group = "1@g.us";
const members: Reader[] = [["1@lid"], ["49152@s.whatsapp.net"], ["49153@s.whatsapp.net", "3@lid"]];

let stored: Map<string, Buffer>;
let keys: KeyStore;

beforeEach(async () => {
  stored = new Map();
  const secrets = {
    getMany: async (fields: readonly string[]) => fields.map((field) => stored.get(field)),
    apply: async (changes: ReadonlyMap<string, Buffer | undefined>) => {
      for (const [field, value] of changes) if (value !== undefined) stored.set(field, value);
    },
    clear: async () => stored.clear(),
  };
  keys = new KeyStore(secrets);
  await keys.set({ "lid-mapping": { "49152": "2", "2_reverse": "49152" }, "sender-key-memory": { [group]: { "1@lid": true } } });
});

it.each([
  ["a member's device", "1:5@lid", "1:5@lid"],
  ["one that is hosted", "1:99@hosted.lid", "1:99@hosted.lid"],
  ["one by another name than the group has, which is stored", "2:7@lid", "49152:7@s.whatsapp.net"],
  ["one by another name, which the group tells", "3:8@lid", "49153:8@s.whatsapp.net"],
])("admits %s, and stores it as a key holder first", async (_, requester, holder) => {
  expect(await admitsAgain(keys, group, requester, members)).toBe(holder);
  expect(await keys.readHolders(group)).toEqual({ "1@lid": true, [holder]: false });
});

it("admits a member's phone, which gets it with the others", async () => {
  expect(await admitsAgain(keys, group, "49152@s.whatsapp.net", members)).toBe("49152@s.whatsapp.net");
  expect(await keys.readHolders(group)).toEqual({ "1@lid": true });
});

it.each(["9@lid", "9:5@lid", "49159:5@s.whatsapp.net", ""])("rejects anyone else: '%s'", async (requester) => {
  expect(await admitsAgain(keys, group, requester, members)).toBeUndefined();
  expect(await keys.readHolders(group)).toEqual({ "1@lid": true });
});
