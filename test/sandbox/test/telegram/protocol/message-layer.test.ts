import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import bigInt from "big-integer";
import { Api } from "telegram";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import { BinaryReader } from "telegram/extensions/index.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { noAnswer } from "../../../telegram/rpc.js";
import { container, RawClient, type RawKey, type RawMessage } from "./raw-client.js";
import { startServer, type StartedServer } from "./test-backend.js";

let started: StartedServer;
let client: RawClient;
let key: RawKey;
const clients: RawClient[] = [];

beforeAll(async () => {
  started = await startServer();
});
afterAll(async () => await started.stop());

beforeEach(async () => {
  client = await aClient();
  const made = await client.makeKey();
  if (!made) throw new Error("no key");
  key = made;
  client.say(key, initialise(new Api.help.GetNearestDc()));
  expect(readId(await client.message(key))).toBe(Api.NewSessionCreated.CONSTRUCTOR_ID);
  expect(readId(await client.message(key))).toBe(rpcResult);
});
afterEach(() => {
  for (const one of clients.splice(0)) one.close();
});

const rpcResult = 0xf35c6d01;

async function aClient(localAddress?: string): Promise<RawClient> {
  const made = await RawClient.connect(started.server, localAddress === undefined ? {} : { localAddress });
  clients.push(made);
  return made;
}

function initialise(query: Api.AnyRequest, layer = 198): Api.InvokeWithLayer {
  const device = { apiId: 1, deviceModel: "d", systemVersion: "s", appVersion: "a", systemLangCode: "en", langPack: "", langCode: "en" };
  return new Api.InvokeWithLayer({ layer, query: new Api.InitConnection({ ...device, query }) });
}

const nearest = () => new Api.help.GetNearestDc().getBytes();
const ping = () => new Api.Ping({ pingId: bigInt(5) }).getBytes();

/** Makes a call run until the returned function is called. */
function holdAppUpdate(): () => void {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  started.backend.open("help.GetAppUpdate", () => gate.then(() => new Api.help.NoAppUpdate()));
  return letGo;
}

function readId(message: RawMessage | undefined): number | undefined {
  return message?.body.readUInt32LE(0);
}

/** Returns the code of the server's `bad_msg_notification`. */
async function badCode(): Promise<number | undefined> {
  const object = await client.object(key);
  return object instanceof Api.BadMsgNotification || object instanceof Api.BadServerSalt ? object.errorCode : undefined;
}

/** Returns the object inside the `rpc_result` for that request. */
async function result(id: bigint): Promise<{ className: string; errorMessage?: string }> {
  const message = await client.until(key, (body) => body.readUInt32LE(0) === rpcResult && body.readBigInt64LE(4) === id);
  return new BinaryReader(message?.body.subarray(12) ?? Buffer.alloc(0)).tgReadObject();
}

async function ask(body: Buffer): Promise<{ className: string; errorMessage?: string }> {
  const messageId = client.nextId();
  client.say(key, body, { messageId });
  return await result(messageId);
}

describe("the server's messages", () => {
  it("carry growing odd ids, and sequence numbers that count what must be acknowledged", async () => {
    client.say(key, nearest());
    client.say(key, ping());
    client.say(key, nearest());
    const messages: RawMessage[] = [];
    for (let count = 0; count < 3; count += 1) {
      const message = await client.message(key);
      if (message) messages.push(message);
    }
    expect(messages.map(({ messageId }) => messageId & 3n)).toEqual([1n, 1n, 1n]);
    expect([...messages].sort((a, b) => Number(a.messageId - b.messageId))).toEqual(messages);
    // Two messages came before: new_session_created (1) and the first result (3).
    const byKind = messages.map((message) => [readId(message) === rpcResult ? "result" : "pong", message.sequence]);
    expect(byKind.sort()).toEqual([
      ["pong", expect.any(Number)],
      ["result", 5],
      ["result", 7],
    ]);
  });

  it("push updates with ids that end in 3", async () => {
    client.say(key, nearest());
    await client.message(key);
    const [connection] = [...started.backend.connections].filter(({ main }) => main).slice(-1);
    connection?.push(new Api.UpdatesTooLong());
    const message = await client.message(key);
    expect(readId(message)).toBe(Api.UpdatesTooLong.CONSTRUCTOR_ID);
    expect((message?.messageId ?? 0n) & 3n).toBe(3n);
    expect(message?.sequence).toBe(7);
  });
});

describe("a client's message is refused", () => {
  const seconds = (offset: number) => (BigInt(Math.floor(Date.now() / 1_000) + offset) << 32n) + 4n;

  it.each([
    ["older than 300 s", -400, 16],
    ["newer than 30 s", 60, 17],
  ])("with an id %s", async (_name, offset, code) => {
    client.say(key, nearest(), { messageId: seconds(offset) });
    expect(await badCode()).toBe(code);
  });

  it("with an id that is no multiple of four", async () => {
    client.say(key, nearest(), { messageId: client.nextId() + 1n });
    expect(await badCode()).toBe(18);
  });

  it("with a sequence number below an earlier one", async () => {
    client.say(key, nearest(), { sequence: 21 });
    await client.message(key);
    client.say(key, nearest(), { sequence: 19 });
    expect(await badCode()).toBe(32);
    client.say(key, nearest(), { sequence: 21 });
    expect(await badCode()).toBe(32);
    client.say(key, nearest(), { sequence: 23 });
    expect(readId(await client.message(key))).toBe(rpcResult);
  });

  it("with a sequence number above that of a later message", async () => {
    const early = client.nextId();
    client.say(key, nearest(), { messageId: client.nextId(), sequence: 3 });
    await client.message(key);
    client.say(key, nearest(), { messageId: early, sequence: 5 });
    expect(await badCode()).toBe(33);
  });

  it("with a sequence number that does not fit its kind", async () => {
    client.say(key, nearest(), { sequence: client.nextSequence(false) });
    expect(await badCode()).toBe(35);
    client.say(key, container([]), { sequence: client.nextSequence(true) });
    expect(await badCode()).toBe(34);
  });

  it("with another salt, and told the right one", async () => {
    const [id] = [...started.server.keys.keys()].slice(-1);
    started.server.rotateSalt(id ?? "");
    client.say(key, nearest());
    const refused = await client.object(key);
    expect(refused).toBeInstanceOf(Api.BadServerSalt);
    const salt = BigInt(refused instanceof Api.BadServerSalt ? refused.newServerSalt.toString() : 0);
    expect(salt).toBe(started.server.keys.get(id ?? "")?.salt);
    client.say({ ...key, salt }, nearest());
    expect(readId(await client.message(key))).toBe(rpcResult);
  });

  it("as a container that is malformed, repeated or inside another", async () => {
    const broken = container([{ id: client.nextId(), sequence: 3, body: nearest() }]);
    broken.writeUInt32LE(2, 4);
    client.say(key, broken, { sequence: 2 });
    expect(await badCode()).toBe(64);
    const inner = { id: client.nextId(), sequence: 2, body: container([]) };
    client.say(key, container([inner]), { sequence: 2 });
    expect(await badCode()).toBe(64);
    const messageId = client.nextId();
    client.say(key, container([]), { messageId, sequence: 2 });
    client.say(key, container([]), { messageId, sequence: 2 });
    expect(await badCode()).toBe(19);
  });
});

describe("the message layer", () => {
  it("answers each message of a container, packed or not", async () => {
    const gzip = Buffer.concat([Buffer.from("a1cf7230", "hex"), serializeBytes(gzipSync(nearest()))]);
    const [first, second, third] = [client.nextId(), client.nextId(), client.nextId()];
    const messages = [
      { id: first, sequence: 3, body: nearest() },
      { id: second, sequence: 5, body: gzip },
      { id: third, sequence: 7, body: ping() },
    ];
    client.say(key, container(messages), { sequence: 8 });
    expect(readId(await client.message(key))).toBe(Api.Pong.CONSTRUCTOR_ID);
    expect((await result(first)).className).toBe("NearestDc");
    expect((await result(second)).className).toBe("NearestDc");
  });

  it("carries out a repeated message once, and acknowledges it", async () => {
    started.backend.calls.length = 0;
    const messageId = client.nextId();
    client.say(key, nearest(), { messageId, sequence: 3 });
    // A repeat before the response is acknowledged by the response. A later repeat gets its own acknowledgement.
    client.say(key, nearest(), { messageId, sequence: 3 });
    expect((await result(messageId)).className).toBe("NearestDc");
    client.say(key, nearest(), { messageId, sequence: 3 });
    const ack = await client.object(key);
    expect(ack instanceof Api.MsgsAck && ack.msgIds.map(String)).toEqual([messageId.toString()]);
    expect(started.backend.calls).toEqual(["help.GetNearestDc"]);
  });

  it("tells the state of messages", async () => {
    const [known, skipped, slow] = [client.nextId(), client.nextId(), client.nextId()];
    const letGo = holdAppUpdate();
    client.say(key, nearest(), { messageId: known, sequence: 3 });
    expect((await result(known)).className).toBe("NearestDc");
    client.say(key, new Api.help.GetAppUpdate({ source: "" }), { messageId: slow, sequence: 5 });
    const msgIds = [1n, known, skipped, slow, slow + (1n << 32n)].map((id) => bigInt(id));
    client.say(key, new Api.MsgsStateReq({ msgIds }), { sequence: 6 });
    const message = await client.message(key);
    expect(readId(message)).toBe(0x04deb57d);
    expect([...new BinaryReader(message?.body.subarray(12) ?? Buffer.alloc(0)).tgReadBytes()]).toEqual([2, 4 + 64, 2, 4, 3]);
    letGo();
    expect((await result(slow)).className).toBe("help.NoAppUpdate");
  });

  it("keeps the salts that it announced", async () => {
    client.say(key, new Api.GetFutureSalts({ num: 3 }));
    const message = await client.message(key);
    expect(readId(message)).toBe(0xae500895);
    expect(message?.body.readInt32LE(16)).toBe(3);
    const salts = [0, 1, 2].map((index) => message?.body.readBigInt64LE(28 + 16 * index) ?? 0n);
    expect(salts[0]).toBe(key.salt);
    started.server.clockOffsetMs = (86_400 + 60) * 1_000;
    try {
      const later = (BigInt(Math.floor(Date.now() / 1_000) + 86_460) << 32n) + 8n;
      client.say({ ...key, salt: salts[1] ?? 0n }, nearest(), { messageId: later });
      expect((await result(later)).className).toBe("NearestDc");
      client.say({ ...key, salt: salts[2] ?? 0n }, nearest(), { messageId: later + 4n });
      expect(await badCode()).toBe(48);
    } finally {
      started.server.clockOffsetMs = 0;
    }
  });

  it("ends sessions other than the speaking one", async () => {
    const { sessionId } = client;
    const other = await aClient();
    other.say(key, ping());
    const end = async (id: bigint) => {
      client.say(key, new Api.DestroySession({ sessionId: bigInt(id) }));
      return (await client.until(key, (body) => [0xe22045fc, 0x62d350c9].includes(body.readUInt32LE(0))))?.body.readUInt32LE(0);
    };
    await other.message(key);
    expect(await end(other.sessionId)).toBe(0xe22045fc);
    expect(await end(other.sessionId)).toBe(0x62d350c9);
    expect(await end(sessionId)).toBe(0x62d350c9);
  });

  it("drops an answer that the client gave up", async () => {
    const letGo = holdAppUpdate();
    const slow = client.nextId();
    client.say(key, new Api.help.GetAppUpdate({ source: "" }), { messageId: slow });
    expect((await ask(new Api.RpcDropAnswer({ reqMsgId: bigInt(slow) }).getBytes())).className).toBe("RpcAnswerDroppedRunning");
    letGo();
    await expect
      .poll(async () => (await ask(new Api.RpcDropAnswer({ reqMsgId: bigInt(slow) }).getBytes())).className)
      .toBe("RpcAnswerUnknown");
  });

  it("fails what was told to follow a call that failed", async () => {
    const [first, second] = [client.nextId(), client.nextId()];
    const after = new Api.InvokeAfterMsg({ msgId: bigInt(first), query: new Api.help.GetNearestDc() }).getBytes();
    const messages = [
      { id: first, sequence: client.nextSequence(true), body: new Api.updates.GetState().getBytes() },
      { id: second, sequence: client.nextSequence(true), body: after },
    ];
    client.say(key, container(messages), { sequence: client.nextSequence(false) });
    expect((await result(first)).className).toBe("RpcError");
    expect(await result(second)).toMatchObject({ className: "RpcError", errorMessage: "MSG_WAIT_FAILED" });
    // Later calls also learn of the failure, and so do followers of the failed follower.
    expect(await ask(after)).toMatchObject({ className: "RpcError", errorMessage: "MSG_WAIT_FAILED" });
    expect(await ask(new Api.InvokeAfterMsgs({ msgIds: [bigInt(second)], query: new Api.help.GetNearestDc() }).getBytes())).toMatchObject({
      errorMessage: "MSG_WAIT_FAILED",
    });
  });

  it("keeps a call back until its predecessors have ended, also when they come after it", async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    started.backend.open("help.GetAppUpdate", async () => {
      await ended;
      return new Api.help.NoAppUpdate();
    });
    const [first, second, third] = [client.nextId(), client.nextId(), client.nextId()];
    started.backend.calls.length = 0;
    const msgIds = [bigInt(first), bigInt(second)];
    const messages = [
      { id: first, sequence: 3, body: new Api.help.GetAppUpdate({ source: "" }).getBytes() },
      { id: second, sequence: 5, body: nearest() },
      { id: third, sequence: 7, body: new Api.InvokeAfterMsgs({ msgIds, query: new Api.help.GetConfig() }).getBytes() },
    ];
    client.say(key, container(messages.slice(2)), { sequence: 8 });
    client.say(key, container(messages.slice(0, 2)), { sequence: 8 });
    expect((await result(second)).className).toBe("NearestDc");
    expect(started.backend.calls).toEqual(["help.GetAppUpdate", "help.GetNearestDc"]);
    end();
    expect((await result(first)).className).toBe("help.NoAppUpdate");
    expect((await result(third)).className).toBe("Config");
  });

  it("does not wait for ever: a predecessor that never comes or never ends is a timeout", async () => {
    started.backend.open("help.GetAppUpdate", () => noAnswer);
    const never = client.nextId();
    const after = (id: bigint) => new Api.InvokeAfterMsg({ msgId: bigInt(id), query: new Api.help.GetNearestDc() }).getBytes();
    const timeout = { errorCode: -503, errorMessage: "MSG_WAIT_TIMEOUT" };
    expect(await ask(after(never))).toMatchObject(timeout);
    const asked = client.nextId();
    client.say(key, new Api.help.GetAppUpdate({ source: "" }), { messageId: asked });
    expect(await ask(after(asked))).toMatchObject(timeout);
    // The session still works.
    expect((await ask(nearest())).className).toBe("NearestDc");
  });

  it("sends a message again that the client did not acknowledge, and tells what it knows of others", async () => {
    const [connection] = [...started.backend.connections].filter(({ main }) => main).slice(-1);
    connection?.push(new Api.UpdatesTooLong());
    const pushed = await client.message(key);
    const resend = (...ids: bigint[]) =>
      client.say(key, new Api.MsgResendReq({ msgIds: ids.map((id) => bigInt(id)) }), { sequence: client.nextSequence(false) });
    resend(pushed?.messageId ?? 0n);
    expect(await client.message(key)).toEqual(pushed);
    // With a foreign id in the list, the server returns the states of all messages.
    resend(pushed?.messageId ?? 0n, 4n);
    expect(readId(await client.message(key))).toBe(0x04deb57d);
    client.say(key, new Api.MsgsAck({ msgIds: [bigInt(pushed?.messageId ?? 0n)] }), { sequence: client.nextSequence(false) });
    resend(pushed?.messageId ?? 0n);
    expect(readId(await client.message(key))).toBe(0x04deb57d);
  });

  it("names requests of other layers, and ones that cannot be read", async () => {
    const unknown = Buffer.from("efbeadde01000000", "hex");
    expect(await ask(unknown)).toMatchObject({ errorMessage: `INPUT_METHOD_INVALID_${String(0xdeadbeef)}` });
    const getUsers = new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }).getBytes();
    const alien = Buffer.from(getUsers);
    alien.writeUInt32LE(0xdeadbeef, alien.length - 4);
    expect(await ask(alien)).toMatchObject({ errorMessage: `INPUT_CONSTRUCTOR_INVALID_${String(0xdeadbeef)}` });
    for (const [position, value] of [
      [8, 0x7fffffff],
      [4, 0],
      [12, Api.InputPeerSelf.CONSTRUCTOR_ID],
    ] as const) {
      const broken = Buffer.from(getUsers);
      broken.writeUInt32LE(value, position);
      expect(await ask(broken)).toMatchObject({ errorMessage: "INPUT_FETCH_ERROR" });
    }
    // The unreadable request has left the readers undamaged.
    started.backend.closed("users.GetUsers", () => []);
    expect(await ask(getUsers)).toMatchObject({ errorMessage: "AUTH_KEY_UNREGISTERED" });
  });

  it("answers in the layer that the client names, and refuses those whose constructors it does not know", async () => {
    started.backend.open("help.GetAppUpdate", () => new Api.User({ id: bigInt(7), firstName: "Ann", self: true }));
    const asked = async (layer: number) => {
      const messageId = client.nextId();
      client.say(key, initialise(new Api.help.GetAppUpdate({ source: "" }), layer), { messageId });
      const message = await client.until(key, (body) => body.readUInt32LE(0) === rpcResult && body.readBigInt64LE(4) === messageId);
      return message?.body.subarray(12) ?? Buffer.alloc(0);
    };
    const own = await asked(198);
    expect(own.readUInt32LE(0)).toBe(Api.User.CONSTRUCTOR_ID);
    for (const [layer, id] of [
      [200, 0x020b1422],
      [214, 0x020b1422],
      [217, 0x31774388],
      [228, 0xb1b8cc83],
      [229, 0xb1b8cc83],
    ] as const) {
      const answer = await asked(layer);
      expect([layer, answer.readUInt32LE(0)]).toEqual([layer, id]);
      // Only the constructor id of such a user has changed.
      expect(answer.subarray(4)).toEqual(own.subarray(4));
    }
    for (const layer of [0, 167, 197, 209, 230])
      expect(new BinaryReader(await asked(layer)).tgReadObject()).toMatchObject({
        errorCode: 400,
        errorMessage: "CONNECTION_LAYER_INVALID",
      });
    expect((await asked(198)).readUInt32LE(0)).toBe(Api.User.CONSTRUCTOR_ID);
  });

  it("answers only initialised keys", async () => {
    const other = await aClient();
    const fresh = await other.makeKey();
    if (!fresh) throw new Error("no key");
    other.say(fresh, nearest());
    const message = await other.until(fresh, (body) => body.readUInt32LE(0) === rpcResult);
    expect(new BinaryReader(message?.body.subarray(12) ?? Buffer.alloc(0)).tgReadObject()).toMatchObject({
      errorMessage: "CONNECTION_NOT_INITED",
    });
  });

  it("closes a connection whose promised ping does not come", async () => {
    client.say(key, new Api.PingDelayDisconnect({ pingId: bigInt(1), disconnectDelay: 1 }));
    expect(readId(await client.message(key))).toBe(Api.Pong.CONSTRUCTOR_ID);
    expect(await client.packet()).toBeUndefined();
  });

  // Telethon sends a plain ping per minute (client/updates.py, _keepalive_loop), in one container after acknowledgements
  // (network/mtprotosender.py, _send_loop).
  it("answers a plain ping that stands in a container behind acknowledgements", async () => {
    client.say(key, initialise(new Api.help.GetNearestDc()));
    const answered = await client.until(key, (body) => body.readUInt32LE(0) === rpcResult);
    const acks = new Api.MsgsAck({ msgIds: [bigInt(String(answered?.messageId))] }).getBytes();
    const [ackId, pingId] = [client.nextId(), client.nextId()];
    const messages = [
      { id: ackId, sequence: client.nextSequence(false), body: acks },
      { id: pingId, sequence: client.nextSequence(true), body: ping() },
    ];
    client.say(key, container(messages), { sequence: client.nextSequence(false) });
    const pong = await client.until(key, (body) => body.readUInt32LE(0) === Api.Pong.CONSTRUCTOR_ID);
    expect(pong?.body.readBigInt64LE(4)).toBe(pingId);
  });

  it("gives up a key that two addresses use, answers both 406 and closes them", async () => {
    const media = await aClient("127.0.0.3");
    media.say(key, new Api.upload.GetFile({ location: aLocation(), offset: bigInt(0), limit: 4_096 }));
    await media.until(key, (body) => body.readUInt32LE(0) === rpcResult);
    expect(started.backend.overlaps).toEqual([]);
    const same = await aClient();
    same.say(key, nearest());
    await same.until(key, (body) => body.readUInt32LE(0) === rpcResult);
    expect(started.backend.overlaps).toEqual([]);

    const letGo = holdAppUpdate();
    const slow = client.nextId();
    client.say(key, new Api.help.GetAppUpdate({ source: "" }), { messageId: slow });
    await vi.waitFor(() => expect(started.backend.calls).toContain("help.GetAppUpdate"));
    const second = await aClient("127.0.0.2");
    second.say(key, nearest());
    const refused = await second.until(key, (body) => body.readUInt32LE(0) === rpcResult);
    expect(new BinaryReader(refused?.body.subarray(12) ?? Buffer.alloc(0)).tgReadObject()).toMatchObject({
      errorCode: 406,
      errorMessage: "AUTH_KEY_DUPLICATED",
    });
    expect(await result(slow)).toMatchObject({ errorMessage: "AUTH_KEY_DUPLICATED" });
    letGo();
    for (const one of [client, second, same, media]) expect(await one.packet()).toBeUndefined();
    expect(started.backend.overlaps.map(({ addresses }) => [...addresses].sort())).toEqual([["127.0.0.1", "127.0.0.2"]]);

    const again = await aClient();
    again.say(key, nearest());
    const still = await again.until(key, (body) => body.readUInt32LE(0) === rpcResult);
    expect(new BinaryReader(still?.body.subarray(12) ?? Buffer.alloc(0)).tgReadObject()).toMatchObject({
      errorMessage: "AUTH_KEY_DUPLICATED",
    });
    expect(await again.packet()).toBeUndefined();
  });

  it("cuts off a client that does not read", async () => {
    const bytes = randomBytes(1_048_576);
    started.backend.open("upload.GetFile", () => new Api.upload.File({ type: new Api.storage.FileJpeg(), mtime: 1, bytes }));
    client.socket.pause();
    const before = started.backend.connections.size;
    for (let count = 0; count < 40; count += 1)
      client.say(key, new Api.upload.GetFile({ location: aLocation(), offset: bigInt(0), limit: 1_048_576 }));
    await vi.waitFor(() => expect(started.backend.connections.size).toBe(before - 1), 10_000);
  });
});

function aLocation(): Api.InputDocumentFileLocation {
  return new Api.InputDocumentFileLocation({ id: bigInt(1), accessHash: bigInt(2), fileReference: Buffer.alloc(4), thumbSize: "" });
}
