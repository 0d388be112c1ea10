import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSessionId, newSessionId, type SessionId } from "../../../shared/contract/ids.js";
import type { MediaAddress } from "../../../shared/contract/media.js";
import { isPlatform } from "../../../shared/contract/platform.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { keys as redisKeys } from "../../../shared/redis/keys.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";
import { sentFile, type LinkedFile } from "../../harness/media-files.js";
import { monitorRedis } from "../../harness/monitor-redis.js";
import { RawClient } from "../../harness/raw-client.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { callWire } from "../../harness/wire.js";

/** Altered links are rejected with 400 or 404. Neither Redis nor the shard receives a command for them. */
const ring = `b:${randomBytes(32).toString("base64")},c:${randomBytes(32).toString("base64")}`;
const keys = LinkKeys.parse(ring);
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let cluster: TestCluster;
let base: string;
let alice: Caller;
let bob: Caller;
let file: LinkedFile;
/** Redis commands since the last reset, one per line. */
let heard: string[] = [];

beforeAll(async () => {
  cluster = await startCluster({ env: { MEDIA_KEYS: ring } });
  base = cluster.telegram[0] ?? "";
  alice = await loggedIn(cluster, "alice");
  bob = await loggedIn(cluster, "bob");
  file = await sentFile(new TelegramSide(cluster), keys, alice, "alice", 1_000);
  await monitorRedis(cluster.redis.url, (command, source) => {
    if (source !== "lua") heard.push(command.join(" "));
  });
});
afterAll(async () => {
  agent.destroy();
  await cluster.stop();
});

const notFound = { statusCode: 404, message: "media not found" };
const noId = { statusCode: 400, message: "platformId must be a database id" };
const idOf = ({ credentials }: Caller): SessionId => {
  if (!isSessionId(credentials.id)) throw new Error("no session id");
  return credentials.id;
};
const address = (): MediaAddress => ({ chatId: file.chatId, messageId: file.messageId, variant: "file" });
/** Returns the six parts of the link: session, chat, message, variant, signature, extension. */
const parts = (): string[] => {
  const [, , , ...rest] = file.path.split("/");
  return [...rest.slice(0, -1), ...(rest.at(-1) ?? "").split(".")];
};
const joined = ([id, chat, message, variant, signature, ext]: readonly string[]): string =>
  `/telegram/media/${id}/${chat}/${message}/${variant}/${signature}.${ext}`;
const withPart = (index: number, value: string): string => joined(parts().with(index, value));

/** Returns the expected response of a path, by its segments and the shape of its session id. */
function expectedOf(path: string): { status: number; body: unknown } {
  const segments = (path.split("?")[0] ?? "").split("/").slice(1);
  const isLink = segments.length === 7 && isPlatform(segments[0]) && segments[1] === "media" && !segments.includes("");
  if (!isLink) return { status: 404, body: { statusCode: 404, message: `Cannot GET ${path.split("?")[0]}` } };
  return /^[0-9a-f]{24}$/.test(segments[2] ?? "") ? { status: 404, body: notFound } : { status: 400, body: noId };
}

async function answerOf(path: string): Promise<{ status: number; body: unknown }> {
  const { status, headers, body } = await callWire(base, path, { agent, headers: { range: "bytes=0-0" } });
  return {
    status,
    body: headers.get("content-type")?.[0]?.startsWith("application/json") === true ? JSON.parse(body.toString()) : body.toString(),
  };
}

/** Requires that each path is rejected, and that Redis receives no command for any of them. */
async function expectRefused(paths: readonly string[]): Promise<void> {
  expect(paths).not.toContain(file.path);
  heard = [];
  const queue = [...new Set(paths)];
  const client = async (): Promise<void> => {
    for (let path = queue.pop(); path !== undefined; path = queue.pop())
      expect({ path, ...(await answerOf(path)) }).toEqual({ path, ...expectedOf(path) });
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await listened();
  expect(asked()).toEqual([]);
}

/**
 * Returns the commands that serve a link: session record, description, chunk, and the command's mark. Late writes of contacts and of update
 * positions are left out.
 */
function asked(): string[] {
  return heard.filter(
    (command) =>
      / (session:\{\d+\}:|media-description:|chunk:|enqueued:\{)/.test(command) && !/ (peers|message-chats):\{\d+\}:/.test(command),
  );
}

/** Resolves when every Redis command up to now was observed. */
async function listened(): Promise<void> {
  const mark = `mark-${randomBytes(8).toString("hex")}`;
  await cluster.redis.client.echo(mark);
  await eventually("the mark", () => heard.some((command) => command.includes(mark)));
}

it("accepts the unchanged link, and reads Redis", async () => {
  heard = [];
  expect((await callWire(base, file.path, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  // A write evicts bob's session from the router's memory. Bob has no message with this id.
  const record = redisKeys.session(idOf(bob));
  await cluster.redis.client.hset(record, "created", (await cluster.redis.client.hget(record, "created")) ?? "");
  for (const key of ["session:{", "media-description:", "chunk:", "enqueued:{"])
    await eventually(`a question for ${key}`, async () => {
      expect((await callWire(base, `/telegram${keys.sign(idOf(bob), { ...address(), messageId: "999999" }, "bin")}`)).status).toBe(404);
      await listened();
      return asked().some((command) => command.includes(` ${key}`) && !command.startsWith("hset "));
    });
});

describe("the signature", () => {
  it("each character by each other one", async () => {
    const signature = parts()[4] ?? "";
    const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+~";
    const altered = [...signature].flatMap((char, at) =>
      [...alphabet].filter((other) => other !== char).map((other) => withPart(4, signature.slice(0, at) + other + signature.slice(at + 1))),
    );
    expect(altered.length).toBe(28 * (alphabet.length - 1));
    await expectRefused(altered);
  });

  it("cut to every length, extended at both ends, doubled, in other cases", async () => {
    const signature = parts()[4] ?? "";
    const cut = Array.from({ length: signature.length }, (_, length) => [signature.slice(0, length), signature.slice(length + 1)]).flat();
    const swapped = signature.replace(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
    const others = [
      `${signature}A`,
      `${signature}=`,
      `a${signature}`,
      signature + signature,
      swapped,
      signature.toUpperCase(),
      signature.toLowerCase(),
      "A".repeat(28),
      "A".repeat(2_000),
      [...signature].reverse().join(""),
    ];
    await expectRefused([...cut, ...others].map((value) => withPart(4, value)));
  });

  it("of another session, chat, message, variant or extension", async () => {
    const signed = (id: SessionId, of: MediaAddress, ext = "bin"): string => keys.sign(id, of, ext).split("/").at(-1)?.split(".")[0] ?? "";
    const own = idOf(alice);
    const others = [
      signed(idOf(bob), address()),
      signed(newSessionId(Date.now()), address()),
      signed(own, { ...address(), chatId: "1" }),
      signed(own, { ...address(), messageId: String(Number(file.messageId) + 1) }),
      signed(own, { ...address(), chatId: file.messageId, messageId: file.chatId }),
      ...(["photo", "thumb", "profile"] as const).map((variant) => signed(own, { ...address(), variant })),
      ...["mp4", "jpg", "binx", "bi"].map((ext) => signed(own, address(), ext)),
    ];
    await expectRefused([
      ...others.map((value) => withPart(4, value)),
      withPart(0, idOf(bob)),
      `/telegram${keys.sign(idOf(bob), address(), "bin")}`.replace(idOf(bob), idOf(alice)),
    ]);
  });

  it("by another key: of the same letter, of a letter that the ring has or has not, by the ring's second key under the first one's letter", async () => {
    const foreign = ["a", "b", "c", "-"].map((letter) =>
      LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`)
        .sign(idOf(alice), address(), "bin")
        .replace(/\/a([^/]+)$/, `/${letter}$1`),
    );
    const second = LinkKeys.parse(ring.split(",")[1] ?? "").sign(idOf(alice), address(), "bin");
    await expectRefused(
      [...foreign, second.replace(/\/c([^/]+)$/, "/b$1"), keys.sign(idOf(alice), address(), "bin").replace(/\/b([^/]+)$/, "/c$1")].map(
        (path) => `/telegram${path}`,
      ),
    );
    expect((await callWire(base, `/telegram${second}`, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  });
});

describe("the other parts", () => {
  it("each character of each by every digit and letter", async () => {
    const alphabet = "0123456789abcdefABCDEFxyz-+|";
    const altered = [0, 1, 2, 3, 5].flatMap((index) => {
      const part = parts()[index] ?? "";
      return [...part].flatMap((char, at) =>
        [...alphabet].filter((other) => other !== char).map((other) => withPart(index, part.slice(0, at) + other + part.slice(at + 1))),
      );
    });
    await expectRefused(altered);
  });

  it("cut, extended, empty, in other forms of the same number, in another place", async () => {
    const [id = "", chat = "", message = "", variant = "", signature = "", ext = ""] = parts();
    await expectRefused([
      ...[0, 1, 2, 3, 4, 5].flatMap((index) =>
        ["", `${parts()[index]}0`, (parts()[index] ?? "").slice(1), (parts()[index] ?? "").slice(0, -1)].map((value) =>
          withPart(index, value),
        ),
      ),
      ...[`0${chat}`, `+${chat}`, `-${chat}`, `${chat}.0`, `${chat}e0`, `-100${chat}`, "9".repeat(30), "NaN", "null"].map((value) =>
        withPart(1, value),
      ),
      ...[`0${message}`, `+${message}`, `-${message}`, `${message}.0`, "2147483648", "9".repeat(30)].map((value) => withPart(2, value)),
      ...["FILE", "File", "original", "photo", "thumb", "profile", "__proto__", "constructor"].map((value) => withPart(3, value)),
      ...["BIN", "Bin", "bin.bin", "bin.", ".bin", "html", "tar.gz", `bin;${signature}`].map((value) => withPart(5, value)),
      ...[id.toUpperCase(), "1", "g".repeat(24), "0".repeat(24), "0".repeat(25), newSessionId(Date.now())].map((value) =>
        withPart(0, value),
      ),
      joined([id, message, chat, variant, signature, ext]),
      joined([id, `${chat}|${message}`, "", variant, signature, ext]),
      joined([`${id}|${chat}`, message, "", variant, signature, ext]),
      file.path.slice(0, -4),
    ]);
  });
});

describe("another writing of the same path", () => {
  it("percent-encoded: any character, once and twice, with small and capital digits", async () => {
    const prefix = "/telegram/media/".length;
    const encoded = (char: string): string => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
    const altered = [...file.path].flatMap((char, at) => {
      if (at < prefix) return [];
      const [before, after] = [file.path.slice(0, at), file.path.slice(at + 1)];
      return [encoded(char), encoded(char).toUpperCase(), encoded(char).replace("%", "%25")].map((text) => before + text + after);
    });
    await expectRefused(altered);
  });

  it("with more: slashes, dots, parameters, zero bytes, line ends, other scripts' digits", async () => {
    const slashes = [...file.path.matchAll(/\//g)].map(({ index }) => index).slice(1);
    const inserted = slashes.flatMap((at) =>
      ["/", "/.", "/x/..", "/%2e", "/%2e%2e", "\\", "/;x"].map((text) => file.path.slice(0, at) + text + file.path.slice(at)),
    );
    const appended = ["/", "//", "/.", "/..", "/x", "%00", "%0a", "%0d%0a", "%20", ";x=1", ".", "~", "%2f", "%c0%af", "#x", "%23x"].map(
      (text) => file.path + text,
    );
    const digits = [1, 2].map((index) => withPart(index, `%ef%bc%91${parts()[index]}`));
    await expectRefused([
      ...inserted,
      ...appended,
      ...digits,
      `/${file.path}`,
      `/.${file.path}`,
      `/x/..${file.path}`,
      file.path.replace("/media/", "/MEDIA/"),
      file.path.replace("/telegram/", "/whatsapp/"),
    ]);
  });

  it("bytes that no path may hold: refused, or the connection is closed", async () => {
    heard = [];
    for (const bytes of [
      Buffer.from([0xff]),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from("é"),
      Buffer.from([0]),
      Buffer.from("\t"),
      Buffer.from("１"),
    ]) {
      const one = await RawClient.open(base);
      one.socket.end(
        Buffer.concat([Buffer.from(`GET ${file.path}`), bytes, Buffer.from(" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")]),
      );
      const text = (await one.rest()).toString("latin1");
      if (text !== "") expect(text).toMatch(/^HTTP\/1\.1 (400|404|505) /);
      one.close();
    }
    await listened();
    expect(asked()).toEqual([]);
  });

  it("a query neither opens a link nor closes it", async () => {
    const signature = parts()[4] ?? "";
    const queries = ["", "x=1", `signature=${signature}`, `session=${idOf(bob)}`, "range=bytes=0-1", "%", "a".repeat(1_000)];
    await expectRefused(queries.map((query) => `${withPart(4, "b".repeat(28))}?${query}`));
    for (const query of queries) {
      const answer = await callWire(base, `${file.path}?${query}`, { headers: { range: "bytes=5-9" } });
      expect([query, answer.status, answer.body.equals(file.bytes(5, 5))]).toEqual([query, 206, true]);
    }
  });
});

it("HEAD: the same, without a body", async () => {
  for (const [path, status] of [
    [withPart(4, "b".repeat(28)), 404],
    [withPart(0, "1"), 400],
    [withPart(3, "photo"), 404],
  ] as const) {
    const answer = await callWire(base, path, { method: "HEAD" });
    expect([answer.status, answer.headers.get("cache-control"), answer.body.length]).toEqual([status, ["no-store"], 0]);
  }
});

it("headers that proxies trust change nothing", async () => {
  const headers = {
    id: idOf(alice),
    "session-id": alice.credentials.sessionId,
    "x-original-url": file.path,
    "x-rewrite-url": file.path,
    "x-forwarded-uri": file.path,
    "x-http-method-override": "GET",
  };
  expect((await callWire(base, withPart(4, "b".repeat(28)), { headers })).status).toBe(404);
});
