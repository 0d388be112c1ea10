import { setImmediate as turn } from "node:timers/promises";
import { DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds, type SignalDataSet } from "@whiskeysockets/baileys";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventKeyStore } from "../../../../shard/whatsapp/keys/connection-keys.js";
import { KeyTransactions } from "../../../../shard/whatsapp/keys/key-transactions.js";
import { SessionReader } from "../../../../shard/whatsapp/network/session-reader.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { SignalSessions } from "../../../../shard/whatsapp/signal-sessions/signal-sessions.js";
import { useSignalSessions } from "../../../../shard/whatsapp/signal-sessions/use-signal-sessions.js";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";

/** Stores values by type and id, and counts the sessions of each read. */
class CountingKeys {
  readonly reads: number[] = [];
  /** The id of a session that cannot be decrypted. */
  unreadable: string | undefined;
  private readonly stored = new Map<string, unknown>();
  readonly store: EventKeyStore = {
    get: async (type, ids) => {
      if (type === "session") this.reads.push(ids.length);
      if (type === "session" && ids.some((id) => id === this.unreadable)) throw new UnreadableRecord("secret");
      return Object.fromEntries(
        ids.flatMap((id) => (this.stored.has(`${type}:${id}`) ? [[id, this.stored.get(`${type}:${id}`)]] : [])),
      ) as never;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries)) this.stored.set(`${type}:${id}`, value);
    },
  };
}

const keys = new CountingKeys();
const creds = initAuthCreds();
const sessions = new SignalSessions(keys.store, creds);
const reader = new SessionReader();
const library = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
  { creds, keys: new KeyTransactions(keys.store) },
  silentLogger,
  async () => [],
);
const repository = reader.install(useSignalSessions(library, sessions), sessions);
/** Every other device is named by phone number, and its anonymous id is known. */
const devices = Array.from({ length: 250 }, (_, n) => (n % 2 === 0 ? `${1_000 + n}@lid` : `${2_000 + n}@s.whatsapp.net`));
const unknown = "9@lid";

beforeAll(async () => {
  await repository.lidMapping.storeLIDPNMappings(devices.flatMap((pn, n) => (n % 2 === 0 ? [] : [{ pn, lid: `${1_000 + n}@lid` }])));
  const { signedIdentityKey, signedPreKey, registrationId } = initAuthCreds();
  const identityKey = generateSignalPubKey(signedIdentityKey.public);
  const { keyId, keyPair, signature } = signedPreKey;
  const session = { registrationId, identityKey, signedPreKey: { keyId, signature, publicKey: generateSignalPubKey(keyPair.public) } };
  for (const jid of devices) await repository.injectE2ESession({ jid, session });
  await sessions.save();
});

/** Validates as the library does for a message. Resolves with the number of sessions found, and the size of each read. */
async function validateAll(jids: readonly string[]): Promise<{ found: number; reads: number[] }> {
  keys.reads.length = 0;
  let found = 0;
  await sessions.during(async () => {
    for (const jid of jids) if ((await repository.validateSession(jid)).exists) found += 1;
  });
  return { found, reads: [...keys.reads] };
}

describe("sessions of a message for many", () => {
  it("are read a hundred at a time, under the ids that they are stored by", async () => {
    expect(await reader.during(devices, () => validateAll(devices))).toEqual({ found: 250, reads: [100, 100, 50] });
  });

  it("are read one by one for a message with an unknown device list, also after one with a known list", async () => {
    expect(await validateAll(devices.slice(0, 20))).toEqual({ found: 20, reads: Array.from({ length: 20 }, () => 1) });
  });

  it("that are not there are not found", async () => {
    const requested = [...devices.slice(0, 5), unknown];
    expect(await reader.during(requested, () => validateAll(requested))).toMatchObject({ found: 5 });
  });

  it("are found but for one that does not open, with which the library makes a new one", async () => {
    keys.unreadable = repository.jidToSignalProtocolAddress("1010@lid");
    try {
      expect(await reader.during(devices, () => validateAll(devices))).toMatchObject({ found: 249 });
    } finally {
      keys.unreadable = undefined;
    }
  });

  it("are read ahead for both of two messages at once, and for neither by a small one that comes between", async () => {
    const [first, second] = [devices.slice(0, 100), devices.slice(100, 200)];
    const both = reader.during(first, () => reader.during(second, () => validateAll([...first, ...second])));
    await reader.during([], turn);
    expect(await both).toEqual({ found: 200, reads: [100, 100] });
  });

  it("let the event loop have its turn, though all are in memory", async () => {
    let [turns, over] = [0, false];
    const counting = (async (): Promise<void> => {
      for (; !over; turns += 1) await turn();
    })();
    for (let n = 0; n < 10; n++) await reader.during(devices, () => validateAll(devices));
    over = true;
    await counting;
    expect(turns).toBeGreaterThan(2);
  });
});
