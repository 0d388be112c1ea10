import { randomBytes } from "node:crypto";
import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateSignalPubKey,
  initAuthCreds,
  signedKeyPair,
  type SignalKeyStore,
} from "@whiskeysockets/baileys";
import { expect, test } from "vitest";
import { refuseForged } from "../../../../shard/whatsapp/network/refuse-forged.js";
import { installPublicKeyCrypto } from "../../../../shard/whatsapp/network/public-key-crypto.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";

installPublicKeyCrypto();

/** The library's own repository, over keys in memory. */
function aRepository() {
  const stored = new Map<string, unknown>();
  const memory: SignalKeyStore = {
    get: async (type, ids) =>
      Object.fromEntries(ids.flatMap((id) => (stored.has(type + id) ? [[id, stored.get(type + id)]] : []))) as never,
    set: async (data) => {
      for (const [type, values] of Object.entries(data)) for (const [id, value] of Object.entries(values)) stored.set(type + id, value);
    },
  };
  const keys = addTransactionCapability(memory, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  return DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, silentLogger, async () => []);
}

function bundle(signature?: Buffer) {
  const identity = Curve.generateKeyPair();
  const { keyPair, keyId, signature: own } = signedKeyPair(identity, 1);
  const preKey = { keyId: 2, publicKey: Buffer.from(generateSignalPubKey(Curve.generateKeyPair().public)), signature: Buffer.alloc(0) };
  const signedPreKey = { keyId, publicKey: Buffer.from(generateSignalPubKey(keyPair.public)), signature: signature ?? Buffer.from(own) };
  return { registrationId: 7, identityKey: Buffer.from(generateSignalPubKey(identity.public)), signedPreKey, preKey };
}

test("rejects and reports a contact's device with a forged prekey; another device gets its session", async () => {
  const reported: unknown[] = [];
  const repository = refuseForged(aRepository(), { warn: (...line: unknown[]) => void reported.push(line) });
  const [forged, honest] = ["111@lid", "222@lid"];
  await repository.injectE2ESession({ jid: forged, session: bundle(randomBytes(64)) });
  await repository.injectE2ESession({ jid: honest, session: bundle() });
  expect((await repository.validateSession(forged)).exists).toBe(false);
  expect((await repository.validateSession(honest)).exists).toBe(true);
  await expect(repository.encryptMessage({ jid: forged, data: Buffer.from("text") })).rejects.toThrow();
  expect((await repository.encryptMessage({ jid: honest, data: Buffer.from("text") })).type).toBe("pkmsg");
  expect(reported).toEqual([
    [{ err: expect.objectContaining({ name: "ForgedPreKey" }) as unknown }, "device with forged prekey omitted from message"],
  ]);
  // An error that the library itself throws still reaches the caller.
  const short = bundle(randomBytes(63));
  await expect(repository.injectE2ESession({ jid: forged, session: short })).rejects.toThrow("Invalid signature");
});
