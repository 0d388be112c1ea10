import { setImmediate as turn } from "node:timers/promises";
import { Curve, generateSignalPubKey, initAuthCreds, type SignalDataSet } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { UnreadableRecord } from "../../../../../shared/session/unreadable-record.js";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import type { EventKeyStore } from "../../../../../shard/whatsapp/keys/connection-keys.js";
import { quietLibsignal } from "../../../../../shard/whatsapp/network/quiet-libsignal.js";
import { SessionsAway, SignalSessions } from "../../../../../shard/whatsapp/signal-sessions/signal-sessions.js";

quietLibsignal();

interface Write {
  readonly keys: SignalDataSet;
  readonly events: readonly string[];
}

/** An account whose store keeps what it is given, as Redis does: each write is applied a turn later, in order. */
class Party {
  readonly creds = initAuthCreds();
  readonly writes: Write[] = [];
  readonly failures: Error[] = [];
  readonly readFailures: Error[] = [];
  readonly reads: string[] = [];
  private readonly stored = new Map<string, unknown>();
  private last: Promise<unknown> = Promise.resolve();
  private readonly store: EventKeyStore = {
    get: async (type, ids) => {
      if (type === "session") this.reads.push(...ids);
      await turn();
      const failure = this.readFailures.shift();
      if (failure !== undefined) throw failure;
      return Object.fromEntries(
        ids.flatMap((id) => (this.stored.has(`${type}:${id}`) ? [[id, this.stored.get(`${type}:${id}`)]] : [])),
      ) as never;
    },
    set: (keys, events = []) => this.write(keys, events),
  };
  sessions = new SignalSessions(this.store, this.creds);

  /** The next connection of the account, which has only what is stored. */
  reconnect(): void {
    this.sessions = new SignalSessions(this.store, this.creds);
  }

  /** Returns keys with which another party begins a session. */
  invitation() {
    const preKey = Curve.generateKeyPair();
    this.stored.set("pre-key:7", preKey);
    const { keyId, keyPair, signature } = this.creds.signedPreKey;
    return {
      registrationId: this.creds.registrationId,
      identityKey: generateSignalPubKey(this.creds.signedIdentityKey.public),
      signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
      preKey: { keyId: 7, publicKey: generateSignalPubKey(preKey.public) },
    };
  }

  private write(keys: SignalDataSet, events: readonly UpdateEvent[]): Promise<void> {
    const done = this.last.then(async () => {
      await turn();
      const failure = this.failures.shift();
      if (failure !== undefined) throw failure;
      this.writes.push({ keys: structuredClone(keys), events: events.map(({ id }) => id) });
      for (const [type, entries] of Object.entries(keys))
        for (const [id, value] of Object.entries(entries)) {
          if (value === null) this.stored.delete(`${type}:${id}`);
          else this.stored.set(`${type}:${id}`, value);
        }
    });
    this.last = done.catch(() => undefined);
    return done;
  }
}

const [alice, bob] = ["1_1.0", "2_1.0"];
const event: UpdateEvent = { id: "e1", type: "message.new", created: "", data: {} };
const text = (from: Party, words: string) => from.sessions.encrypt(bob, Buffer.from(words));
const textTo = (from: Party, to: string, words: string) => from.sessions.encrypt(to, Buffer.from(words));

async function read(
  reader: Party,
  from: string,
  message: Awaited<ReturnType<typeof text>>,
  events: readonly UpdateEvent[] = [],
): Promise<string> {
  const { type, ciphertext } = message;
  return Buffer.from(await reader.sessions.decrypt(from, type, ciphertext, async () => events)).toString();
}

function otherEnd(bytes: Uint8Array): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  return changed;
}

/** Two parties that have exchanged a message in both directions. */
async function acquainted(): Promise<{ ours: Party; theirs: Party }> {
  const [ours, theirs] = [new Party(), new Party()];
  await ours.sessions.begin(bob, theirs.invitation());
  expect(await read(theirs, alice, await text(ours, "hello"))).toBe("hello");
  await ours.sessions.save();
  expect(await read(ours, bob, await textTo(theirs, alice, "hi"))).toBe("hi");
  await theirs.sessions.save();
  for (const party of [ours, theirs]) party.writes.length = 0;
  return { ours, theirs };
}

describe("a session that encrypts", () => {
  it("is stored by `save` in one write with others, once", async () => {
    const [ours, theirs] = [new Party(), new Party()];
    await ours.sessions.begin(bob, theirs.invitation());
    await ours.sessions.begin(alice, theirs.invitation());
    await text(ours, "one");
    expect(ours.writes).toEqual([]);
    await ours.sessions.save();
    expect(ours.writes).toEqual([{ keys: { session: { [bob]: expect.anything(), [alice]: expect.anything() } }, events: [] }]);
    expect(ours.sessions.save()).toBeUndefined();
  });

  it("is waited for by all while it is stored, and stored again if it encrypted meanwhile", async () => {
    const { ours, theirs } = await acquainted();
    const first = await text(ours, "one");
    const saved = ours.sessions.save();
    const second = await text(ours, "two");
    expect(ours.sessions.save()).toBeDefined();
    await saved;
    await ours.sessions.save();
    expect(ours.writes).toHaveLength(2);
    ours.reconnect();
    const third = await text(ours, "three");
    const texts: string[] = [];
    for (const message of [first, second, third]) texts.push(await read(theirs, alice, message));
    expect(texts).toEqual(["one", "two", "three"]);
  });

  it("is still to be stored when a write failed twice", async () => {
    const { ours } = await acquainted();
    await text(ours, "one");
    ours.failures.push(new Error("redis is away"), new Error("redis is still away"));
    await expect(ours.sessions.save()).rejects.toThrow("redis is still away");
    await ours.sessions.save();
    expect(ours.writes).toHaveLength(1);
  });

  it("is there for messages when it is open, and a message without one is rejected by libsignal", async () => {
    const { ours } = await acquainted();
    expect([await ours.sessions.has(bob), await ours.sessions.has("3_1.0")]).toEqual([true, false]);
    await expect(textTo(ours, "3_1.0", "hi")).rejects.toMatchObject({ name: "SessionError" });
  });
});

describe("a session that is stored", () => {
  it("counts as absent if it is damaged, and not if the store does not answer", async () => {
    const { ours, theirs } = await acquainted();
    ours.readFailures.push(new UnreadableRecord("session"));
    expect(await ours.sessions.has(bob)).toBe(false);
    const away = new Error("redis is away");
    for (const call of [() => ours.sessions.has(bob), () => ours.sessions.begin(bob, theirs.invitation()), () => text(ours, "lost")]) {
      ours.readFailures.push(away);
      await expect(call()).rejects.toBe(away);
    }
    expect(ours.sessions.save()).toBeUndefined();
    expect(await read(theirs, alice, await text(ours, "one"))).toBe("one");
  });
});

describe("a message that is read", () => {
  it("is told from one that cannot be decrypted when the store fails before its decryption", async () => {
    const { ours, theirs } = await acquainted();
    const message = await textTo(theirs, alice, "hi");
    ours.readFailures.push(new Error("redis is away"));
    await expect(read(ours, bob, message)).rejects.toBeInstanceOf(SessionsAway);
    await text(ours, "unsaved");
    ours.failures.push(new Error("redis is away"), new Error("redis is still away"));
    await expect(read(ours, bob, message)).rejects.toBeInstanceOf(SessionsAway);
    expect(await read(ours, bob, message)).toBe("hi");
  });

  it("is stored in one write with its session, its used prekey, its sender's identity and its events", async () => {
    const [ours, theirs] = [new Party(), new Party()];
    await ours.sessions.begin(bob, theirs.invitation());
    expect(await read(theirs, alice, await text(ours, "hello"), [event])).toBe("hello");
    const identity = generateSignalPubKey(ours.creds.signedIdentityKey.public);
    expect(theirs.writes).toEqual([
      {
        keys: { session: { [alice]: expect.anything() }, "pre-key": { 7: null }, "identity-key": { [alice]: Uint8Array.from(identity) } },
        events: ["e1"],
      },
    ]);
    await read(theirs, alice, await text(ours, "again"), [event]);
    expect(theirs.writes.at(-1)).toEqual({ keys: { session: { [alice]: expect.anything() } }, events: ["e1"] });
  });

  it("changes nothing when it cannot be decrypted, or its events cannot be made or stored, so that it can be read again", async () => {
    const { ours, theirs } = await acquainted();
    const message = await text(ours, "one");
    const damaged = { ...message, ciphertext: otherEnd(message.ciphertext) };
    await expect(read(theirs, alice, damaged)).rejects.toThrow();
    const { type, ciphertext } = message;
    await expect(theirs.sessions.decrypt(alice, type, ciphertext, () => Promise.reject(new Error("no events")))).rejects.toThrow(
      "no events",
    );
    theirs.failures.push(new Error("redis is away"), new Error("redis is still away"));
    await expect(read(theirs, alice, message, [event])).rejects.toThrow("redis is still away");
    expect(theirs.writes).toEqual([]);
    expect(await read(theirs, alice, message, [event])).toBe("one");
    await expect(read(theirs, alice, message)).rejects.toThrow();
  });

  it("keeps what a text to the same person changed before, and one that comes meanwhile waits", async () => {
    const { ours, theirs } = await acquainted();
    const first = await text(ours, "one");
    const reading = read(ours, bob, await textTo(theirs, alice, "hi"));
    const waiting = text(ours, "two");
    expect(await reading).toBe("hi");
    const second = await waiting;
    await ours.sessions.save();
    ours.reconnect();
    const third = await text(ours, "three");
    const texts: string[] = [];
    for (const message of [first, second, third]) texts.push(await read(theirs, alice, message));
    expect(texts).toEqual(["one", "two", "three"]);
  });

  it("of a contact who has registered anew begins without the former sessions", async () => {
    const { theirs } = await acquainted();
    const anew = new Party();
    await anew.sessions.begin(bob, theirs.invitation());
    expect(await read(theirs, alice, await text(anew, "new phone"))).toBe("new phone");
    expect(theirs.writes.at(-1)?.keys["identity-key"]).toEqual({
      [alice]: Uint8Array.from(generateSignalPubKey(anew.creds.signedIdentityKey.public)),
    });
    await theirs.sessions.has(alice);
    expect(await read(anew, bob, await textTo(theirs, alice, "hi"))).toBe("hi");
  });
});

describe("sessions that were read for a send", () => {
  it("are read once until it ends, and as they were changed", async () => {
    const { ours, theirs } = await acquainted();
    ours.reads.length = 0;
    const message = await ours.sessions.during(async () => {
      await ours.sessions.prepare([bob, "3_1.0"]);
      expect(await ours.sessions.has(bob)).toBe(true);
      await text(ours, "skipped");
      await ours.sessions.save();
      return await text(ours, "one");
    });
    expect(ours.reads).toEqual([bob, "3_1.0"]);
    expect(await read(theirs, alice, message)).toBe("one");
    await ours.sessions.save();
    await ours.sessions.has(bob);
    expect(ours.reads).toEqual([bob, "3_1.0", bob]);
  });

  it("are read again after work of the library", async () => {
    const { ours } = await acquainted();
    ours.reads.length = 0;
    await ours.sessions.during(async () => {
      await ours.sessions.has(bob);
      await ours.sessions.outside(turn);
      await ours.sessions.has(bob);
    });
    expect(ours.reads).toEqual([bob, bob]);
  });
});
