import { Curve, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds, type SignalDataSet } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { KeyTransactions } from "../../../../../shard/whatsapp/keys/key-transactions.js";
import { silentLogger } from "../../../../../shard/whatsapp/network/silent-logger.js";
import { SignalSessions } from "../../../../../shard/whatsapp/signal-sessions/signal-sessions.js";
import { useSignalSessions } from "../../../../../shard/whatsapp/signal-sessions/use-signal-sessions.js";

function aConnection() {
  const stored = new Map<string, unknown>();
  const reads: string[] = [];
  const store = {
    get: async (type: string, ids: string[]) => {
      reads.push(...ids.map((id) => `${type}:${id}`));
      return Object.fromEntries(ids.flatMap((id) => (stored.has(`${type}:${id}`) ? [[id, stored.get(`${type}:${id}`)]] : []))) as never;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, entries] of Object.entries(data))
        for (const [id, value] of Object.entries(entries)) {
          if (value === null) stored.delete(`${type}:${id}`);
          else stored.set(`${type}:${id}`, value);
        }
    },
  };
  const creds = initAuthCreds();
  const sessions = new SignalSessions(store, creds);
  const library = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: new KeyTransactions(store) }, silentLogger, async () => []);
  return { stored, reads, sessions, repository: useSignalSessions(library, sessions) };
}

function bundle() {
  const { signedIdentityKey, signedPreKey, registrationId } = initAuthCreds();
  const { keyId, keyPair, signature } = signedPreKey;
  return {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
    preKey: { keyId: 1, publicKey: generateSignalPubKey(Curve.generateKeyPair().public) },
  };
}

it("a session with a phone number is that of the anonymous id, if it is known", async () => {
  const { repository, sessions, stored } = aConnection();
  await repository.lidMapping.storeLIDPNMappings([{ lid: "1@lid", pn: "2@s.whatsapp.net" }]);
  for (const jid of ["2:3@s.whatsapp.net", "5@s.whatsapp.net"]) await repository.injectE2ESession({ jid, session: bundle() });
  await sessions.save();
  expect([...stored.keys()].filter((name) => name.startsWith("session:"))).toEqual(["session:1_1.3", "session:5.0"]);
  expect(await repository.validateSession("1:3@lid")).toEqual({ exists: true });
  expect(await repository.validateSession("1@lid")).toEqual({ exists: false, reason: "no open session" });
});

it("what the library itself reads and removes is stored before, and not used after that", async () => {
  const { repository, sessions } = aConnection();
  const session = bundle();
  await repository.injectE2ESession({ jid: "1@lid", session });
  expect(await repository.getSessionInfo("1@lid")).toMatchObject({ registrationId: session.registrationId });
  await sessions.during(async () => {
    expect((await repository.validateSession("1@lid")).exists).toBe(true);
    await repository.deleteSession(["1@lid"]);
    expect((await repository.validateSession("1@lid")).exists).toBe(false);
  });
});

it("the sessions of a person are moved to the anonymous id once, and not with each message", async () => {
  const { repository, sessions, reads, stored } = aConnection();
  await repository.injectE2ESession({ jid: "2@s.whatsapp.net", session: bundle() });
  await sessions.save();
  stored.set("device-list:2", ["0"]);
  await repository.lidMapping.storeLIDPNMappings([{ lid: "1@lid", pn: "2@s.whatsapp.net" }]);
  expect(await repository.migrateSession("2@s.whatsapp.net", "1@lid")).toMatchObject({ migrated: 1 });
  expect((await repository.validateSession("1@lid")).exists).toBe(true);
  reads.length = 0;
  expect(await repository.migrateSession("2@s.whatsapp.net", "1@lid")).toMatchObject({ migrated: 0 });
  expect(reads).toEqual([]);
});
