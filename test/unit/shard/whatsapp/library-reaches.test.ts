import { AsyncLocalStorage } from "node:async_hooks";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import {
  addTransactionCapability,
  assertNodeErrorFree,
  getNextPreKeys,
  INITIAL_PREKEY_COUNT,
  initAuthCreds,
  makeWASocket,
  promiseTimeout,
  proto,
  type BinaryNode,
  type SignalDataSet,
  type SignalKeyStore,
} from "@whiskeysockets/baileys";
import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";
import { isTcTokenExpired } from "@whiskeysockets/baileys/lib/Utils/tc-token-utils.js";
import { describe, expect, it, vi } from "vitest";
import { StanzaGate } from "../../../../shard/whatsapp/events/stanza-gate.js";
import { KeyTransactions } from "../../../../shard/whatsapp/keys/key-transactions.js";
import { MediaHosts } from "../../../../shard/whatsapp/media/media-hosts.js";
import { isTokenExpired } from "../../../../shard/whatsapp/message/contact-tokens.js";
import { boundQueries } from "../../../../shard/whatsapp/network/bound-queries.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { surviveRejections } from "../../../../shard/whatsapp/network/survive-rejections.js";
import { eventually } from "../../../harness/eventually.js";

/**
 * Checks that shard/whatsapp/PATCHES.md is true: the library calls our replacements and still needs them. Each test's name says what to do
 * if it fails after an update.
 */
const require = createRequire(import.meta.url);
const library = dirname(require.resolve("@whiskeysockets/baileys"));
const source = (file: string): string => readFileSync(join(library, file), "utf8");
const emptyKeys: SignalKeyStore = { get: async () => ({}), set: async () => undefined };

/** A socket of the library that never connects. */
function aSocket(): ReturnType<typeof makeWASocket> {
  const socket = makeWASocket({
    auth: { creds: initAuthCreds(), keys: emptyKeys },
    waWebSocketUrl: "ws://127.0.0.1:1/",
    logger: silentLogger,
  });
  socket.ws.on("error", () => undefined);
  return socket;
}

describe("listeners of the library's socket", () => {
  it("may reject, and are taken off as they were put on", async () => {
    const rejections: unknown[] = [];
    surviveRejections((error) => rejections.push(error));
    const socket = new WebSocketClient(new URL("ws://127.0.0.1:1/"), {} as never);
    const listener = async (): Promise<void> => Promise.reject(new Error("cut off"));
    socket.on("CB:test", listener);
    socket.emit("CB:test");
    await eventually("told", () => rejections.length === 1);
    socket.off("CB:test", listener);
    expect(socket.listenerCount("CB:test")).toBe(0);
  });

  it("may reject when they are called once, and an error without a listener is still thrown", async () => {
    const rejections: unknown[] = [];
    surviveRejections((error) => rejections.push(error));
    const socket = new WebSocketClient(new URL("ws://127.0.0.1:1/"), {} as never);
    const calls: unknown[] = [];
    socket.once("CB:test", async (...args: unknown[]): Promise<void> => {
      calls.push(args);
      throw new Error("cut off");
    });
    expect([socket.emit("CB:test", 1, 2), socket.emit("CB:test", 3)]).toEqual([true, false]);
    await eventually("told", () => rejections.length === 1);
    expect(calls).toEqual([[1, 2]]);
    expect(() => socket.emit("error", new Error("alone"))).toThrow("alone");
  });

  it("of stanzas are still called by three names for each attribute: without that, drop stanza-names.ts", () => {
    const text = source("Socket/socket.js");
    const emits = text.slice(text.indexOf("await noise.decodeFrame"), text.indexOf("const end = async"));
    const names = [...emits.matchAll(/ws\.emit\((.*), frame\)/g)].map(([, name]) => name);
    expect(names).toEqual([
      "'frame'",
      "`${DEF_TAG_PREFIX}${msgId}`",
      "`${DEF_CALLBACK_PREFIX}${l0},${key}:${l1[key]},${l2}`",
      "`${DEF_CALLBACK_PREFIX}${l0},${key}:${l1[key]}`",
      "`${DEF_CALLBACK_PREFIX}${l0},${key}`",
      "`${DEF_CALLBACK_PREFIX}${l0},,${l2}`",
      "`${DEF_CALLBACK_PREFIX}${l0}`",
    ]);
  });

  it("the library still drops their promises: without asynchronous listeners, drop survive-rejections.ts", () => {
    const asynchronous = ["socket.js", "messages-recv.js", "chats.js"].flatMap(
      (name) => source(`Socket/${name}`).match(/ws\.on\([^\n]*async \(/g) ?? [],
    );
    expect(asynchronous.length).toBeGreaterThan(5);
    expect(source("Socket/Client/types.js")).toMatch(/extends EventEmitter/);
  });
});

describe("listeners of stanzas", () => {
  it("are called when the events are stored, through the gate", async () => {
    const { ws } = aSocket();
    const names = ["CB:message", "CB:receipt", "CB:notification", "CB:call"];
    expect(names.map((name) => ws.listenerCount(name))).toEqual([1, 1, 1, 1]);
    const order: string[] = [];
    for (const name of names) ws.removeAllListeners(name).on(name, () => order.push(name));
    const store = (): Promise<void> => turn().then(() => void order.push("stored"));
    const event = { id: "e1", type: "message.new", created: "", data: {} };
    const eventsBefore = () => Promise.resolve([event]);
    const confirm = () => Promise.resolve();
    new StanzaGate({ isOrdered: () => false, eventsBefore, store, confirm, onFailure: () => undefined }).install(ws);
    for (const name of names) ws.emit(name, { tag: "receipt", attrs: { type: "retry" } });
    await eventually("all passed", () => order.length === 8);
    expect(order).toEqual(names.flatMap((name) => ["stored", name]));
  });

  it("the library still confirms stanzas by itself: without that, drop keep-messages.ts and stanza-gate.ts", () => {
    const text = source("Socket/messages-recv.js");
    expect(text).toMatch(/await decrypt\(\);[^]*await sendReceipt\(msg\.key\.remoteJid, participant, \[msg\.key\.id\], type\);/);
    expect(text).toMatch(/if \(!acked\) \{\s*await sendMessageAck\(node, NACK_REASONS\.UnhandledError\)/);
    expect(source("Utils/decode-wa-message.js")).toMatch(/await repository\.decryptGroupMessage\([^]*await repository\.decryptMessage\(/);
  });
});

describe("receipts", () => {
  it("are still only reported and confirmed by the library, unless they request a resend: otherwise confirm none in client.ts", () => {
    const [, handler = ""] = /const handleReceipt = async \(node\) => \{([^]*?)\n {4}\};/.exec(source("Socket/messages-recv.js")) ?? [];
    const [report = "", resend = ""] = handler.split("if (attrs.type === 'retry') {");
    expect(report.match(/ev\.emit\('[^']+'/g)).toEqual(["ev.emit('message-receipt.update'", "ev.emit('messages.update'"]);
    expect(report.match(/await /g)).toEqual(["await "]);
    expect(resend).toMatch(/finally \{\s*await sendMessageAck\(node\)/);
    const adapter = join(import.meta.dirname, "../../../../shard/whatsapp");
    for (const name of readdirSync(adapter, { recursive: true, encoding: "utf8" }))
      if (name.endsWith(".ts")) expect(readFileSync(join(adapter, name), "utf8")).not.toMatch(/"(message-receipt|messages)\.update"/);
  });
});

describe("recipients", () => {
  it("the library still resolves the own number and the recipient as two people: without that, drop unique-recipients.ts", () => {
    const text = source("Socket/messages-send.js");
    expect(text).toContain("getUSyncDevices([senderIdentity, jid], true, false)");
    expect(text).toContain("await patchMessageBeforeSending(message, recipientJids)");
    expect(text).toContain("patchedMessages.map(async ({ recipientJid: jid, message: patchedMessage })");
  });
});

describe("transactions of the keys", () => {
  const options = { maxCommitRetries: 1, delayBetweenTriesMs: 1 };

  it("run through the object whose methods are replaced", async () => {
    const written: SignalDataSet[] = [];
    const socket = aSocket();
    const { keys } = socket.authState;
    new KeyTransactions({ ...emptyKeys, set: async (data) => void written.push(data) }).replace(keys);
    await keys.transaction(async () => {
      await socket.signalRepository.lidMapping.storeLIDPNMappings([{ lid: "1@lid", pn: "2@s.whatsapp.net" }]);
      await socket.signalRepository.deleteSession(["3@lid"]);
      expect(written).toEqual([]);
    }, "name");
    expect(written).toEqual([expect.objectContaining({ session: { "3_1.0": null }, "lid-mapping": expect.anything() })]);
    await socket.end(undefined);
  });

  it("the library still enters a storage for each socket, and loses later writes: without both, drop key-transactions.ts", async () => {
    const count = (): number => queryObjects(AsyncLocalStorage, { format: "count" });
    const before = count();
    const many = [1, 2, 3].map(() => addTransactionCapability(emptyKeys, silentLogger, options));
    expect(count()).toBe(before + many.length);

    const written: SignalDataSet[] = [];
    const keys = addTransactionCapability({ ...emptyKeys, set: async (data) => void written.push(data) }, silentLogger, options);
    let later: Promise<void> | undefined;
    await keys.transaction(async () => {
      later = turn().then(() => keys.set({ "lid-mapping": { 1: "later" } }));
    }, "key");
    await later;
    expect(written).toEqual([]);
  });

  it("begin with a send before its first wait, which is how `KeyTransactions` knows a send", () => {
    const text = source("Socket/messages-send.js");
    const relay = text.slice(text.indexOf("const relayMessage ="));
    expect(relay.indexOf("await ")).toBe(relay.indexOf("await authState.keys.transaction(async"));
  });
});

describe("sessions of Signal", () => {
  it("are still queued for all accounts by contact, and stored as text each time: without both, drop signal-sessions/", () => {
    const signal = (file: string): string => readFileSync(createRequire(import.meta.url).resolve(`libsignal/src/${file}`), "utf8");
    expect(signal("queue_job.js")).toMatch(/^const _queueAsyncBuckets = new Map\(\);$/m);
    expect(signal("session_cipher.js")).toContain("return await queueJob(this.addr.toString(), awaitable);");
    const repository = source("Signal/libsignal.js");
    expect(repository).toContain("await keys.set({ session: { [wireJid]: session.serialize() } });");
    expect(repository).toMatch(/async encryptMessage\(\{ jid, data \}\) \{[^]*?return parsedKeys\.transaction\(async/);
  });

  it("are still sent before they are stored, by the library alone", () => {
    const text = source("Socket/messages-send.js");
    const relay = text.slice(text.indexOf("const relayMessage ="));
    expect(relay.indexOf("authState.keys.transaction(async")).toBeGreaterThan(0);
    expect(relay.indexOf("authState.keys.transaction(async")).toBeLessThan(relay.indexOf("await sendNode(stanza)"));
  });
});

describe("copies for many", () => {
  it("the library still encrypts all of them at once, through the object that is replaced: without that, drop pace-encryption.ts", () => {
    const text = source("Socket/messages-send.js");
    const nodes = text.slice(text.indexOf("const createParticipantNodes ="), text.indexOf("const relayMessage ="));
    expect(nodes).toContain("await signalRepository.encryptMessage({");
    expect(nodes).toMatch(/await Promise\.all\(/);
    const bundles = source("Utils/signal.js");
    expect(bundles.slice(bundles.indexOf("const parseAndInjectE2ESessions ="))).toMatch(
      /for \(const node of nodesChunk\) \{[^]*?await repository\.injectE2ESession\(\{/,
    );
  });
});

describe("devices without keys", () => {
  it("the library still gives a group's text up where its key can be encrypted for none of those that lack it: without that, drop keyless-devices.ts", () => {
    const text = source("Socket/messages-send.js");
    const nodes = text.slice(text.indexOf("const createParticipantNodes ="), text.indexOf("const relayMessage ="));
    expect(nodes).toMatch(/await signalRepository\.encryptMessage\(\{ jid, [^]*catch \(err\) \{[^]*return null;/);
    expect(nodes).toMatch(/nodes\.length === 0\) \{\s*throw new Boom\('All encryptions failed'/);
    expect(text).toMatch(/senderKeyMap\[deviceJid\] = true;[^]*await createParticipantNodes\(senderKeyRecipients,/);
  });
});

describe("sessions of a message for many", () => {
  it("the library still reads one session after the other: without that, drop session-reader.ts", () => {
    const text = source("Socket/messages-send.js");
    expect(text.slice(text.indexOf("const assertSessions ="))).toMatch(
      /for \(const jid of uniqueJids\) \{[^}]*?await signalRepository\.validateSession\(jid\);/,
    );
  });
});

describe("a message whose resend is requested", () => {
  it("the library still gives the sender key to every requester: without that, drop admits-again.ts", () => {
    expect(source("Socket/messages-recv.js")).toMatch(/msg = await getMessage\(\{ \.\.\.key, id \}\)/);
    const text = source("Socket/messages-send.js");
    expect(text.slice(text.indexOf("if (isRetryResend) {"))).toMatch(/axolotlSenderKeyDistributionMessage: skdm/);
  });
});

describe("tokens of contacts", () => {
  it("expire when the library stops sending them", () => {
    const week = 604_800;
    vi.useFakeTimers({ now: (1_000 * week + 5) * 1_000, toFake: ["Date"] });
    try {
      const timestamps = [undefined, "", "x", ...[997, 996, 996.999_999, 990, 1_000].map((weeks) => `${Math.floor(weeks * week)}`)];
      expect(timestamps.map((timestamp) => isTokenExpired(timestamp, Date.now()))).toEqual(timestamps.map(isTcTokenExpired));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("time", () => {
  it("the library still compares clocks in its timer of pings: without that, drop keep-alive.ts", () => {
    const text = source("Socket/socket.js");
    expect(text).toMatch(/setInterval\(\(\) => \{[^}]*\}\s*const diff = Date\.now\(\) - lastDateRecv\.getTime\(\);/);
    expect(text).toMatch(/if \(diff > keepAliveIntervalMs \+ \d+\) \{\s*void end\(/);
  });

  it("the library still takes a stack and sets a timer for each frame, unless its time is 0: without that, give it connectTimeoutMs", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const write = (done: (value: string) => void): void => done("written");
    expect(await promiseTimeout(0, write)).toBe("written");
    expect(timers).not.toHaveBeenCalled();
    expect(await promiseTimeout(1_000, write)).toBe("written");
    expect(timers).toHaveBeenCalledOnce();
    timers.mockRestore();
    expect(source("Socket/socket.js")).toMatch(/const sendRawMessage = async \(data\) => \{[^]*?await promiseTimeout\(connectTimeoutMs,/);
  });
});

describe("waits for responses", () => {
  it("end with an error after their time, unless they are somebody else's; with stacks and timers still in the library: without those, drop bound-queries.ts", async () => {
    const socket = aSocket();
    // The connection fails by itself, which would also end the waits, so it is ended first.
    await socket.end(undefined);
    boundQueries(socket, 50, (event) => event === "TAG:ours");
    const response = socket.waitForMessage("answered", 0);
    const node: BinaryNode = { tag: "iq", attrs: {} };
    socket.ws.emit("TAG:answered", node);
    expect(await response).toBe(node);
    const ours = vi.fn();
    socket.ws.on("TAG:ours", ours);
    for (let n = 0; n < 2; n++) {
      const ended = (await socket.waitForMessage("silent", 0)) as BinaryNode;
      expect(() => assertNodeErrorFree(ended)).toThrow("the platform said nothing");
    }
    expect(ours).not.toHaveBeenCalled();
    expect(socket.ws.listenerCount("TAG:silent")).toBe(0);
    expect(source("Socket/socket.js")).toMatch(
      /waitForMessage = async \(msgId, timeoutMs = defaultQueryTimeoutMs\) => \{[^]*?await promiseTimeout\(timeoutMs,/,
    );
  });
});

describe("app state", () => {
  it("the library still does not report a removal, and has no salt: without both, drop app-state-mutations.ts", () => {
    expect(source("Utils/chat-utils.js")).toContain("onMutation({ syncAction, index: JSON.parse(indexStr) });");
    expect(proto.SyncActionValue.fromObject({ nctSaltSyncAction: {} })).not.toHaveProperty("nctSaltSyncAction");
  });

  it("the library still has no salt of a history, and reports chats as contacts: without both, drop history-settings.ts", () => {
    expect(proto.HistorySync.fromObject({ nctSalt: Buffer.alloc(32) })).not.toHaveProperty("nctSalt");
    expect(source("Utils/history.js")).toContain("name: chat.displayName || chat.name || chat.username || undefined,");
  });

  it("the library still reads an app state without an end: without that, drop resync-rounds.ts", () => {
    const text = source("Socket/chats.js");
    const loop = text.slice(text.indexOf("while (collectionsToHandle.size)"), text.indexOf("for (const key in decoded)"));
    expect(loop.length).toBeGreaterThan(0);
    expect(loop).not.toMatch(/throw|break|collectionsToHandle\.delete/);
  });
});

describe("stanzas", () => {
  it("the library still acknowledges nothing before the login: without that, drop the ack from client.ts", () => {
    expect(source("Socket/messages-recv.js")).toContain("buildAckStanza(node, errorCode, authState.creds.me.id)");
  });

  it("the library still reports over padded bytes, and reads a file's kind outside of an envelope: without both, drop relayed-message.ts", () => {
    const text = source("Socket/messages-send.js");
    expect(text).toContain("const encoded = encodeWAMessage(reportingMessage);");
    expect(text).toContain("const mediaType = getMediaType(message);");
    expect(source("Utils/reporting-utils.js")).toContain("!message.encEventResponseMessage");
  });

  it("the library still encodes a message for each device: without that, drop encodeBeforeRelay", () => {
    expect(source("Socket/messages-send.js")).toMatch(
      /patchedMessages\.map\(async \(\{[^}]*\}\) => \{[^]*?const bytes = encodeWAMessage\(msgToEncrypt\);/,
    );
    expect(source("Utils/generics.js")).toContain("writeRandomPadMax16(proto.Message.encode(message).finish())");
  });
});

describe("media hosts", () => {
  it("are requested again after a failed request, and the library still does not retry: with that, drop media-hosts.ts", async () => {
    const socket = aSocket();
    const failed = async (request: () => Promise<unknown>): Promise<unknown> => request().catch((error: unknown) => error);
    const again = [await failed(() => socket.refreshMediaConn(false)), await failed(() => socket.refreshMediaConn(true))];
    expect(again[0]).toBeInstanceOf(Error);
    // The same error object proves that no second query was sent.
    expect(again[1]).toBe(again[0]);
    await socket.end(undefined);
    const query = vi.fn<(node: BinaryNode) => Promise<BinaryNode>>(async () => Promise.reject(new Error("no answer")));
    const hosts = new MediaHosts(query);
    await failed(() => hosts.find());
    await failed(() => hosts.find());
    expect(query).toHaveBeenCalledTimes(2);
  });
});

describe("libsignal", () => {
  const folder = dirname(require.resolve("libsignal/src/curve.js", { paths: [library] }));
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));

  it("still prints, and only sentences that are known: without any, drop quiet-libsignal.ts", () => {
    const printed = files
      .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
      .filter((line) => !line.trim().startsWith("//"))
      .flatMap((line) => [...line.matchAll(/console\.(\w+)\(\s*(["'`])(.*?)\2/g)].map(([, method, , sentence]) => ({ method, sentence })));
    const source = readFileSync(join(import.meta.dirname, "../../../../shard/whatsapp/network/quiet-libsignal.ts"), "utf8");
    const openings = [...source.slice(source.indexOf("const openings")).matchAll(/^ {2}"(.*)",$/gm)].map(([, opening = ""]) => opening);
    expect(printed.length).toBeGreaterThan(5);
    expect(printed.filter(({ sentence = "" }) => !openings.some((opening) => sentence.startsWith(opening)))).toEqual([]);
    expect(new Set(printed.map(({ method }) => method))).toEqual(new Set(["info", "warn", "error"]));
  });

  it("still gives OpenSSL each private key as DER, whose decoder is resolved each time: without that, drop public-key-crypto.ts", () => {
    const text = readFileSync(join(folder, "curve.js"), "utf8");
    const agreement = text.slice(text.indexOf("exports.calculateAgreement"));
    expect(agreement).toMatch(/createPrivateKey\(\{[^}]*format: 'der'/);
  });

  it("still signs in JavaScript, and Baileys still takes any signature: without both, drop xeddsa.ts", () => {
    const text = readFileSync(join(folder, "curve.js"), "utf8");
    expect(text).toContain("curveJs.sign(privKey, message)");
    expect(text).toContain("return isInit ? true : curveJs.verify(pubKey, msg, sig)");
    expect(source("Utils/crypto.js")).toMatch(/curve\.verifySignature\([^;]*\);\s*return true;/);
    expect(source("Signal/Group/sender-key-message.js")).toContain(
      "import { calculateSignature, verifySignature } from 'libsignal/src/curve.js'",
    );
  });
});

describe("prekeys", () => {
  const made = async (nextPreKeyId: number) => {
    const stored: string[] = [];
    const requested: string[] = [];
    const pair = { public: Buffer.alloc(32), private: Buffer.alloc(32) };
    const keys: SignalKeyStore = {
      get: async (_, ids) => {
        requested.push(...ids);
        return Object.fromEntries(ids.map((id) => [id, pair])) as never;
      },
      set: async (data) => void stored.push(...Object.keys(data["pre-key"] ?? {})),
    };
    const creds = { ...initAuthCreds(), nextPreKeyId, firstUnuploadedPreKeyId: 1 };
    const { update } = await getNextPreKeys({ creds, keys }, INITIAL_PREKEY_COUNT);
    return { stored: stored.length, requested: requested.length, update };
  };

  it("the library still makes 812 keys where none are there, and takes those that are: without that, drop prekeys.ts", async () => {
    expect(INITIAL_PREKEY_COUNT).toBe(812);
    expect(await made(1)).toEqual({ stored: 812, requested: 812, update: { nextPreKeyId: 813, firstUnuploadedPreKeyId: 813 } });
    expect(await made(1_025)).toEqual({ stored: 0, requested: 812, update: { nextPreKeyId: 1_025, firstUnuploadedPreKeyId: 813 } });
  });
});
