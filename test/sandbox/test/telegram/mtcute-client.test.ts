/**
 * The sandbox's wire protocol with a second, unrelated client. mtcute verifies more than GramJS: prime, hashes and nonces of the key
 * exchange, ids, padding, salts. Its layer is newer, and it cannot read older forms.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  IntermediatePacketCodec,
  Long,
  MemoryStorage,
  ObfuscatedPacketCodec,
  PaddedIntermediatePacketCodec,
  type TelegramTransport,
  type tl,
} from "@mtcute/core";
import { __tlReaderMap, addPublicKey, NodeCryptoProvider } from "@mtcute/node/utils.js";
import { BaseTelegramClient, TcpTransport } from "@mtcute/node";
import bigInt from "big-integer";
import { Api } from "telegram";
import { tlobjects } from "telegram/tl/AllTLObjects.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FileCache } from "../../files/file-cache.js";
import { SampleFiles } from "../../files/sample-files.js";
import { syntheticBytes } from "../../files/synthetic-bytes.js";
import { build, lines } from "./protocol/built-objects.js";
import { fileSlice, startServer, type StartedServer } from "./protocol/test-backend.js";
import { changedConstructors } from "../../telegram/protocol/layers/changed-constructors.js";
import { RpcFault } from "../../telegram/rpc.js";
import { TelegramPlatform } from "../../telegram/telegram-platform.js";
import { sharedChats } from "../../telegram/world/seed.js";
import {
  type PasswordChallenge,
  passwordChallenge,
  passwordVerifier,
  provesPassword,
  srpGenerator,
  srpPrime,
} from "../../telegram/world/srp.js";

let started: StartedServer;
const clients: BaseTelegramClient[] = [];

beforeAll(async () => {
  started = await startServer();
  addPublicKey(new NodeCryptoProvider(), started.server.publicPem);
});
afterEach(async () => {
  started.server.packResults = false;
  for (const client of clients.splice(0)) await client.destroy();
});
afterAll(async () => await started.stop());

type Codec = "intermediate" | "padded intermediate" | "obfuscated" | "obfuscated padded";

function aTransport(codec: Codec): TelegramTransport {
  const tcp = new TcpTransport();
  return {
    connect: (dc) => tcp.connect(dc),
    packetCodec: () => {
      const inner = codec.includes("padded") ? new PaddedIntermediatePacketCodec() : new IntermediatePacketCodec();
      return codec.startsWith("obfuscated") ? new ObfuscatedPacketCodec(inner) : inner;
    },
  };
}

function aClient(codec: Codec = "intermediate", server = started.server): BaseTelegramClient {
  const [home] = server.addresses;
  if (!home) throw new Error("the server has no data centre");
  const dc = { id: home.id, ipAddress: home.host, port: home.port };
  const client = new BaseTelegramClient({
    apiId: 12_345,
    apiHash: "0123456789abcdef0123456789abcdef",
    storage: new MemoryStorage(),
    defaultDcs: { main: dc, media: dc },
    transport: aTransport(codec),
    updates: false,
    logLevel: process.env.TEST_LOG ? 5 : 1,
  });
  clients.push(client);
  return client;
}

const mtcuteLayer = 227;
const nearest = { _: "help.getNearestDc" } as const;

describe("the unmodified mtcute client", () => {
  it.each<Codec>(["intermediate", "padded intermediate", "obfuscated", "obfuscated padded"])(
    "makes a key and calls over %s",
    async (codec) => {
      const client = aClient(codec);
      expect(await client.call(nearest)).toEqual({ _: "nearestDc", country: "XX", thisDc: 1, nearestDc: 1 });
    },
  );

  it("reads the configuration", async () => {
    const config = await aClient().call({ _: "help.getConfig" });
    expect(config.dcOptions.map(({ id, port }) => ({ id, port }))).toEqual(started.server.addresses.map(({ id, port }) => ({ id, port })));
    expect(config.meUrlPrefix).toBe("https://t.me/");
  });

  it("exports a login token", async () => {
    const token = randomBytes(32);
    const expires = Math.floor(Date.now() / 1_000) + 30;
    started.backend.open("auth.ExportLoginToken", (request: Api.auth.ExportLoginToken) => {
      expect(request.apiHash).toBe("0123456789abcdef0123456789abcdef");
      return new Api.auth.LoginToken({ expires, token });
    });
    const client = aClient();
    const answer = await client.call({
      _: "auth.exportLoginToken",
      apiId: 12_345,
      apiHash: "0123456789abcdef0123456789abcdef",
      exceptIds: [],
    });
    expect(answer).toMatchObject({ _: "auth.loginToken", expires });
    expect(answer._ === "auth.loginToken" && Buffer.from(answer.token).equals(token)).toBe(true);
  });

  it("proves a password, and only the right one", async () => {
    const verifier = await passwordVerifier("s3cret");
    let challenge: PasswordChallenge | undefined;
    started.backend
      .open("account.GetPassword", () => {
        const { id, B } = (challenge = passwordChallenge(verifier));
        const { salt1, salt2 } = verifier;
        const currentAlgo = new Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow({
          salt1,
          salt2,
          g: srpGenerator,
          p: srpPrime,
        });
        const unknown = {
          newAlgo: new Api.PasswordKdfAlgoUnknown(),
          newSecureAlgo: new Api.SecurePasswordKdfAlgoUnknown(),
          secureRandom: randomBytes(256),
        };
        return new Api.account.Password({ ...unknown, hasPassword: true, hint: "pet", currentAlgo, srp_B: B, srpId: bigInt(id) });
      })
      .open("auth.CheckPassword", ({ password }: Api.auth.CheckPassword) => {
        if (!(password instanceof Api.InputCheckPasswordSRP) || password.srpId.toString() !== challenge?.id)
          throw new RpcFault(400, "SRP_ID_INVALID");
        if (!provesPassword(verifier, challenge, password.A, password.M1)) throw new RpcFault(400, "PASSWORD_HASH_INVALID");
        return new Api.auth.Authorization({ user: new Api.UserEmpty({ id: bigInt(5_001) }) });
      });
    const client = aClient();
    const attempt = async (password: string) => {
      const challenged = await client.call({ _: "account.getPassword" });
      expect(challenged.hint).toBe("pet");
      return await client.call({ _: "auth.checkPassword", password: await client.computeSrpParams(challenged, password) });
    };
    await expect(attempt("wrong")).rejects.toThrow("PASSWORD_HASH_INVALID");
    expect(await attempt("s3cret")).toMatchObject({ _: "auth.authorization", user: { _: "userEmpty", id: 5_001 } });
  });

  it.each([false, true])("reads ranges of a file (packed: %s)", async (packed) => {
    started.server.packResults = packed;
    const client = aClient();
    const location: tl.RawInputDocumentFileLocation = {
      _: "inputDocumentFileLocation",
      id: Long.fromNumber(1),
      accessHash: Long.fromNumber(2),
      fileReference: Buffer.alloc(4),
      thumbSize: "",
    };
    const ranges: [number, number][] = [
      [0, 524_288],
      [524_288, 524_288],
      [1_048_576, 65_536],
      [4_096, 4_096],
    ];
    const parts = await Promise.all(
      ranges.map(([offset, limit]) => client.call({ _: "upload.getFile", location, offset, limit }, { kind: "download" })),
    );
    for (const [index, part] of parts.entries()) {
      const [offset = 0, limit = 0] = ranges[index] ?? [];
      expect(part._ === "upload.file" && Buffer.from(part.bytes).equals(fileSlice(offset, limit))).toBe(true);
    }
    const media = [...started.backend.connections].filter((connection) => connection.key && !connection.main);
    expect(media.length).toBeGreaterThan(0);
  });

  it("packs big requests, in zlib's form", async () => {
    const bytes = Buffer.alloc(65_536, "many words ");
    started.backend.open(
      "upload.SaveFilePart",
      (request: Api.upload.SaveFilePart) => request.filePart === 3 && request.bytes.equals(bytes),
    );
    const answer = await aClient().call({ _: "upload.saveFilePart", fileId: Long.fromNumber(7), filePart: 3, bytes });
    expect(answer).toBe(true);
  });

  it("survives salt rotation under concurrent calls", async () => {
    const client = aClient();
    let calls = 0;
    started.backend.open("help.GetCountriesList", (_request, { key }) => {
      calls += 1;
      if (calls % 5 === 0) started.server.rotateSalt(key.id);
      return new Api.help.CountriesListNotModified();
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.call({ _: "help.getCountriesList", langCode: "en", hash: 0 })),
    );
    expect(answers).toHaveLength(20);
    expect(calls).toBe(20);
  });

  it("goes on with its session after the connection drops", async () => {
    const client = aClient();
    await client.call(nearest);
    const made = started.server.keys.size;
    for (const connection of started.backend.connections) connection.destroy();
    expect((await client.call(nearest)).thisDc).toBe(1);
    expect(started.server.keys.size).toBe(made);
  });

  it("waits for an answer that takes long", async () => {
    started.backend.open("help.GetInviteText", async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return new Api.help.InviteText({ message: "come" });
    });
    const client = aClient();
    started.backend.calls.length = 0;
    expect(await client.call({ _: "help.getInviteText" })).toEqual({ _: "help.inviteText", message: "come" });
    expect(started.backend.calls.filter((name) => name === "help.GetInviteText")).toHaveLength(1);
  });

  it("may give up an answer", async () => {
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    started.backend.open("help.GetAppUpdate", () => gate.then(() => new Api.help.NoAppUpdate()));
    const client = aClient();
    await client.call(nearest);
    const abort = new AbortController();
    const call = client.call({ _: "help.getAppUpdate", source: "" }, { abortSignal: abort.signal });
    await vi.waitFor(() => expect(started.backend.calls).toContain("help.GetAppUpdate"));
    abort.abort(new Error("no longer wanted"));
    await expect(call).rejects.toThrow("no longer wanted");
    letGo();
    expect((await client.call(nearest)).thisDc).toBe(1);
  });

  it.each(Object.keys(changedConstructors))("reads a %s, which has changed since the sandbox's own layer", async (name) => {
    const line = lines.find(({ constructorId }) => tlobjects[constructorId].className === name);
    if (!line) throw new Error(`no ${name}`);
    started.backend.open("help.GetAppUpdate", () => build(line, false));
    const [namespace, own] = name.includes(".") ? name.split(".") : ["", name];
    const read = `${namespace === "" ? "" : `${namespace}.`}${own?.charAt(0).toLowerCase()}${own?.slice(1)}`;
    expect(await aClient().call({ _: "help.getAppUpdate", source: "" })).toMatchObject({ _: read });
  });

  it("knows every constructor that the sandbox sends", async () => {
    const folder = join(import.meta.dirname, "../../telegram");
    const sources = await readdir(folder, { recursive: true });
    const texts = await Promise.all(sources.filter((name) => name.endsWith(".ts")).map((name) => readFile(join(folder, name), "utf8")));
    const sent = new Set(texts.flatMap((text) => [...text.matchAll(/new Api\.([\w.]+)\(/g)].map(([, name = ""]) => name)));
    expect(sent.size).toBeGreaterThan(100);
    const ids = lines
      .map(({ constructorId }) => [tlobjects[constructorId].className, constructorId] as const)
      .filter(([name]) => sent.has(name));
    const unknown = ids.filter(
      ([name, id]) => !((changedConstructors[name]?.findLast(({ since }) => since <= mtcuteLayer)?.id ?? id) in __tlReaderMap),
    );
    expect(unknown.map(([name]) => name)).toEqual([]);
  });

  it("is told of methods and objects that the layer does not have", async () => {
    const client = aClient();
    await expect(client.call({ _: "messages.getTopReactions", limit: 1, hash: Long.ZERO })).rejects.toThrow("INPUT_METHOD_INVALID");
    expect((await client.call(nearest)).thisDc).toBe(1);
  });
});

describe("the whole sandbox, seen by mtcute", () => {
  let platform: TelegramPlatform;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    const cache = new FileCache(join(folder, "files"));
    const log = {
      debug: () => {},
      warn: () => {},
      error: (message: string, fields?: object) => expect.fail(`${message} ${JSON.stringify(fields)}`),
    };
    const dcs = [{ id: 1, host: "127.0.0.1", port: 0 }];
    const rsaPemPath = join(folder, "telegram-private.pem");
    platform = await TelegramPlatform.start({ folder, rsaPemPath, samples: new SampleFiles(cache), cache, dcs, log });
    addPublicKey(new NodeCryptoProvider(), platform.server.publicPem);
  });
  afterAll(async () => {
    await platform.stop();
    await rm(folder, { recursive: true });
  });

  const exportToken: tl.auth.RawExportLoginTokenRequest = {
    _: "auth.exportLoginToken",
    apiId: 12_345,
    apiHash: "0123456789abcdef0123456789abcdef",
    exceptIds: [],
  };

  async function scanned(account: string): Promise<BaseTelegramClient> {
    const client = aClient("intermediate", platform.server);
    const answer = await client.call(exportToken);
    if (answer._ !== "auth.loginToken") throw new Error(answer._);
    expect(answer.expires - Date.now() / 1_000).toBeGreaterThan(5);
    await platform.control.scan(account, `tg://login?token=${Buffer.from(answer.token).toString("base64url")}`);
    return client;
  }

  it("logs in by a scanned code", async () => {
    const client = await scanned("bob");
    const user = { _: "user", self: true, firstName: "Bob", lastName: "Builder", username: "bob_sandbox" };
    expect(await client.call(exportToken)).toMatchObject({ _: "auth.loginTokenSuccess", authorization: { _: "auth.authorization", user } });
    expect(await client.call({ _: "users.getUsers", id: [{ _: "inputUserSelf" }] })).toMatchObject([user]);
    expect(await client.call({ _: "updates.getState" })).toMatchObject({ _: "updates.state" });
    expect(await client.call({ _: "account.getPassword" })).toMatchObject({ _: "account.password", hasPassword: false });
    const config = await client.call({ _: "help.getConfig" });
    expect(config).toMatchObject({ _: "config", thisDc: 1 });
  });

  it("asks for the password and takes only the right one", async () => {
    const client = await scanned("dave");
    await expect(client.call(exportToken)).rejects.toThrow("SESSION_PASSWORD_NEEDED");
    const attempt = async (password: string) => {
      const challenge = await client.call({ _: "account.getPassword" });
      expect(challenge).toMatchObject({ hasPassword: true, hint: "battery staple" });
      return await client.call({ _: "auth.checkPassword", password: await client.computeSrpParams(challenge, password) });
    };
    await expect(attempt("wrong")).rejects.toThrow("PASSWORD_HASH_INVALID");
    expect(await attempt("correct horse")).toMatchObject({ _: "auth.authorization", user: { firstName: "Dave", self: true } });
  });

  it("reads a channel, and serves a file of 64 MiB as its message names it", async () => {
    const client = await scanned("judy");
    expect(await client.call(exportToken)).toMatchObject({ _: "auth.loginTokenSuccess" });
    const dialogs = await client.call({
      _: "messages.getDialogs",
      offsetDate: 0,
      offsetId: 0,
      offsetPeer: { _: "inputPeerEmpty" },
      limit: 100,
      hash: Long.ZERO,
    });
    if (dialogs._ === "messages.dialogsNotModified") throw new Error(dialogs._);
    expect(dialogs.dialogs.length).toBeGreaterThan(5);
    expect(dialogs.dialogs).toContainEqual(expect.objectContaining({ _: "dialog", unreadPollVotesCount: 0 }));
    const found = dialogs.chats.find(({ id }) => id === sharedChats.mediaChannel);
    if (found?._ !== "channel" || !found.accessHash) throw new Error("no channel");
    const peer = { _: "inputPeerChannel", channelId: found.id, accessHash: found.accessHash } as const;
    const none = { offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: Long.ZERO };
    const history = await client.call({ _: "messages.getHistory", peer, limit: 100, ...none });
    if (history._ !== "messages.channelMessages") throw new Error(history._);
    expect(history.chats).toMatchObject([{ _: "channel", id: sharedChats.mediaChannel, broadcast: true }]);
    const documents = history.messages.flatMap((message) => {
      const media = message._ === "message" ? message.media : undefined;
      return media?._ === "messageMediaDocument" && media.document?._ === "document" ? [media.document] : [];
    });
    const film = documents.find(({ size }) => size === 64 * 1_048_576);
    if (!film) throw new Error("no film");
    const { id, accessHash, fileReference } = film;
    const location: tl.RawInputDocumentFileLocation = { _: "inputDocumentFileLocation", id, accessHash, fileReference, thumbSize: "" };
    for (const offset of [0, 33_554_432, 64 * 1_048_576 - 524_288]) {
      const part = await client.call({ _: "upload.getFile", location, offset, limit: 524_288 }, { kind: "download" });
      expect(part._ === "upload.file" && Buffer.from(part.bytes).equals(syntheticBytes(id.toString(), offset, 524_288))).toBe(true);
    }
    await expect(client.call({ _: "upload.getFile", location, offset: 100, limit: 524_288 })).rejects.toThrow("OFFSET_INVALID");
  });
});
