import { setImmediate as turn } from "node:timers/promises";
import { Curve, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import type { SecretMap } from "../../../../shard/session/session-context.js";
import { ConnectionKeys } from "../../../../shard/whatsapp/keys/connection-keys.js";
import { KeyStore } from "../../../../shard/whatsapp/keys/key-store.js";
import { quietLibsignal } from "../../../../shard/whatsapp/network/quiet-libsignal.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { SignalSessions } from "../../../../shard/whatsapp/signal-sessions/signal-sessions.js";
import { useSignalSessions } from "../../../../shard/whatsapp/signal-sessions/use-signal-sessions.js";
import { KeyTransactions } from "../../../../shard/whatsapp/keys/key-transactions.js";

quietLibsignal();

/** Imitates Redis on one connection: replies arrive in order, at least one turn of the event loop later. */
class Secrets implements SecretMap {
  private readonly stored = new Map<string, Buffer>();
  private last: Promise<unknown> = Promise.resolve();

  getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]> {
    return this.inOrder(() => fields.map((field) => this.stored.get(field)));
  }

  apply(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    return this.inOrder(() => {
      for (const [field, value] of changes) {
        if (value === undefined) this.stored.delete(field);
        else this.stored.set(field, value);
      }
    });
  }

  clear(): Promise<void> {
    return this.inOrder(() => this.stored.clear());
  }

  private inOrder<T>(work: () => T): Promise<T> {
    const result = this.last.then(() => turn()).then(work);
    this.last = result;
    return result;
  }
}

/** A party with the library's own cryptography over our sessions and keys. */
function party(jid: string) {
  const store = new ConnectionKeys(new KeyStore(new Secrets()));
  const keys = new KeyTransactions(store);
  const creds = initAuthCreds();
  const sessions = new SignalSessions(store, creds);
  const library = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silentLogger, async () => []);
  const repository = useSignalSessions(library, sessions);
  const invitation = async () => {
    const preKey = Curve.generateKeyPair();
    await store.set({ "pre-key": { 1: preKey } });
    const { keyId, keyPair, signature } = creds.signedPreKey;
    return {
      registrationId: creds.registrationId,
      identityKey: generateSignalPubKey(creds.signedIdentityKey.public),
      signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
      preKey: { keyId: 1, publicKey: generateSignalPubKey(preKey.public) },
    };
  };
  return { jid, keys, sessions, repository, invitation };
}
type Party = ReturnType<typeof party>;

const write = async (from: Party, to: Party, text: string) => {
  const message = await from.repository.encryptMessage({ jid: to.jid, data: Buffer.from(text) });
  await from.sessions.save();
  return message;
};
const read = async (reader: Party, from: Party, message: Awaited<ReturnType<typeof write>>): Promise<string> =>
  Buffer.from(await reader.repository.decryptMessage({ jid: from.jid, ...message })).toString();

function otherEnd(bytes: Uint8Array): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  return changed;
}

/**
 * libsignal runs all work with one person in a queue, in the context of the first job, so a later text's key went to an ended transaction.
 * The next text then reused that key.
 */
it.each(["lid", "s.whatsapp.net"])(
  "texts that cross a message of the same person (@%s) have a key each",
  async (server) => {
    for (let begun = 0; begun <= 40; begun += 4) {
      for (const isDamaged of [false, true]) {
        const [ours, theirs] = [party(`111@${server}`), party(`222@${server}`)];
        await ours.repository.injectE2ESession({ jid: theirs.jid, session: await theirs.invitation() });
        expect(await read(theirs, ours, await write(ours, theirs, "hello"))).toBe("hello");
        expect(await read(ours, theirs, await write(theirs, ours, "hi"))).toBe("hi");
        const incoming = await write(theirs, ours, "are you there?");
        if (isDamaged) incoming.ciphertext = otherEnd(incoming.ciphertext);
        const reading = read(ours, theirs, incoming).catch((error: unknown) => error);
        // Each round starts the text at another moment of the read.
        for (let n = 0; n < begun; n++) await Promise.resolve();
        const first = await ours.keys.sending(() => ours.keys.transaction(async () => await write(ours, theirs, "one"), ours.jid));
        await reading;
        for (let n = 0; n < 10; n++) await turn();
        const second = await write(ours, theirs, "two");
        expect([await read(theirs, ours, first), await read(theirs, ours, second)]).toEqual(["one", "two"]);
      }
    }
  },
  30_000,
);
