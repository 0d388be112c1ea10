import type { SignalDataSet, SignalKeyStore } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { ConnectionKeys } from "../../../../shard/whatsapp/keys/connection-keys.js";

const change: SignalDataSet = { session: { "1@lid": Buffer.from("x") } };

/** An account's keys, whose writes finish when the test ends them. */
class Account implements SignalKeyStore {
  readonly writes: { readonly end: (error?: Error) => void }[] = [];
  get = () => Promise.resolve({});
  set(): Promise<void> {
    return new Promise((resolve, reject) => this.writes.push({ end: (error) => (error === undefined ? resolve() : reject(error)) }));
  }
}

it("a connection that is closed writes no keys any more, and is closed once those that were being written are", async () => {
  const account = new Account();
  const keys = new ConnectionKeys(account);
  const [kept, lost] = [keys.set(change), keys.set(change)];
  lost.catch(() => undefined);
  let closed = false;
  const closing = keys.close().then(() => (closed = true));
  await expect(keys.set(change)).rejects.toMatchObject({ name: "ConnectionLost" });
  expect(account.writes).toHaveLength(2);
  account.writes[0]?.end();
  await kept;
  expect(closed).toBe(false);
  account.writes[1]?.end(new Error("redis is away"));
  await expect(lost).rejects.toThrow("redis is away");
  await closing;
  expect(account.writes).toHaveLength(2);
});

it("keeps the list of issued tokens unchanged, but updates received tokens", async () => {
  const written: SignalDataSet[] = [];
  const keys = new ConnectionKeys({ get: () => Promise.resolve({}), set: async (data) => void written.push(data) });
  const [given, received, index] = [
    { token: Buffer.alloc(0), senderTimestamp: 1 },
    { token: Buffer.from("t"), timestamp: "1" },
    { token: Buffer.from("[]") },
  ];
  await keys.set({ tctoken: { "1@lid": given, __index: index } });
  await keys.set({ tctoken: { "1@lid": given, "2@lid": received, __index: index } });
  await keys.set({ tctoken: { __index: index } });
  expect(written).toEqual([
    { tctoken: { "1@lid": given } },
    { tctoken: { "1@lid": given, "2@lid": received, __index: index } },
    { tctoken: { __index: index } },
  ]);
});

it("another connection of the account writes on", async () => {
  const account = new Account();
  await new ConnectionKeys(account).close();
  const write = new ConnectionKeys(account).set(change);
  account.writes[0]?.end();
  await write;
});
