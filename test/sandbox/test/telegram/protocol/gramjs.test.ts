import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Api, type TelegramClient } from "telegram";
import { UpdateConnectionState } from "telegram/network/index.js";
import { ConnectionTCPAbridged, ConnectionTCPFull, ConnectionTCPObfuscated } from "telegram/network/index.js";
import { Raw } from "telegram/events/index.js";
import type { StringSession } from "telegram/sessions/index.js";
import { LAYER } from "telegram/tl/AllTLObjects.js";
import bigInt from "big-integer";
import { noAnswer, RpcFault } from "../../../telegram/rpc.js";
import { fileSlice, startServer, type StartedServer } from "./test-backend.js";
import { gramClient } from "./gramjs-client.js";

let started: StartedServer;
const clients: TelegramClient[] = [];

beforeAll(async () => {
  started = await startServer();
});
afterEach(async () => {
  started.server.packResults = false;
  started.server.clockOffsetMs = 0;
  for (const client of clients.splice(0)) await client.destroy();
});
afterAll(async () => await started.stop());

async function connected(...args: Parameters<typeof gramClient> extends [unknown, ...infer R] ? R : never): Promise<TelegramClient> {
  const client = gramClient(started.server, ...args);
  clients.push(client);
  expect(await client.connect()).toBe(true);
  return client;
}

function aFileRequest(offset = 0, limit = 524_288): Api.upload.GetFile {
  const location = new Api.InputDocumentFileLocation({
    id: bigInt(1),
    accessHash: bigInt(2),
    fileReference: Buffer.alloc(4),
    thumbSize: "",
  });
  return new Api.upload.GetFile({ location, offset: bigInt(offset), limit });
}

const nearest = () => new Api.help.GetNearestDc();

describe("the unmodified GramJS client", () => {
  it("makes a key, connects and calls", async () => {
    const client = await connected();
    const config = await client.invoke(new Api.help.GetConfig());
    expect(config.thisDc).toBe(1);
    expect(config.dcOptions.map(({ id }) => id)).toEqual([1, 2]);
    const [key] = [...started.server.keys.values()].slice(-1);
    expect(key?.initialised).toBe(true);
    expect(key?.layer).toBe(LAYER);
  });

  it.each([
    ["full", ConnectionTCPFull],
    ["obfuscated", ConnectionTCPObfuscated],
    ["abridged", ConnectionTCPAbridged],
  ])("calls over the %s transport", async (_name, connection) => {
    const client = await connected({ connection });
    expect((await client.invoke(nearest())).thisDc).toBe(1);
  });

  it("reads a file part of 512 KiB", async () => {
    const client = await connected();
    const parts = await Promise.all([0, 524_288, 1_048_576].map((offset) => client.invoke(aFileRequest(offset))));
    for (const [index, part] of parts.entries())
      expect(part instanceof Api.upload.File && part.bytes.equals(fileSlice(index * 524_288, 524_288))).toBe(true);
  });

  it("uploads parts of 512 KiB", async () => {
    const seen: number[] = [];
    started.backend.open("upload.SaveFilePart", (request: Api.upload.SaveFilePart) => {
      seen.push(request.bytes.length);
      return request.bytes.equals(fileSlice(0, 524_288));
    });
    const client = await connected();
    expect(await client.invoke(new Api.upload.SaveFilePart({ fileId: bigInt(1), filePart: 0, bytes: fileSlice(0, 524_288) }))).toBe(true);
    expect(seen).toEqual([524_288]);
  });

  it("gets packed results", async () => {
    started.server.packResults = true;
    const client = await connected();
    expect((await client.invoke(new Api.help.GetConfig())).dcOptions).toHaveLength(2);
    const part = await client.invoke(aFileRequest(0, 8_192));
    expect(part instanceof Api.upload.File && part.bytes.equals(fileSlice(0, 8_192))).toBe(true);
  });

  it("sees errors as the platform words them", async () => {
    started.backend
      .open("contacts.ResolveUsername", () => {
        throw new RpcFault(400, "USERNAME_NOT_OCCUPIED");
      })
      .open("contacts.ResolvePhone", () => {
        throw new TypeError("broken");
      })
      .closed("users.GetUsers", () => []);
    const client = await connected();
    await expect(client.invoke(new Api.contacts.ResolveUsername({ username: "nobody" }))).rejects.toThrow(
      "400: USERNAME_NOT_OCCUPIED (caused by contacts.ResolveUsername)",
    );
    await expect(client.invoke(new Api.contacts.ResolvePhone({ phone: "1" }))).rejects.toThrow("500: INTERNAL");
    expect(started.backend.errors.splice(0)).toEqual(["method failed TypeError: broken"]);
    await expect(client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))).rejects.toThrow("401: AUTH_KEY_UNREGISTERED");
    await expect(client.invoke(new Api.updates.GetState())).rejects.toThrow(
      `400: INPUT_METHOD_INVALID_${new Api.updates.GetState().CONSTRUCTOR_ID}`,
    );
  });

  it("gets pushed updates", async () => {
    const client = await connected();
    await client.invoke(nearest());
    const updates: string[] = [];
    client.addEventHandler((update: { className?: string }) => void updates.push(update.className ?? ""), new Raw({}));
    const [connection] = [...started.backend.connections].filter(({ main }) => main);
    for (let id = 1; id <= 3; id += 1) {
      connection?.push(new Api.UpdateShort({ update: new Api.UpdateLoginToken(), date: id }));
    }
    await vi.waitFor(() => expect(updates.filter((name) => name === "UpdateLoginToken")).toHaveLength(3));
  });

  it("survives salt rotation under concurrent calls", async () => {
    const client = await connected();
    let calls = 0;
    started.backend.open("help.GetCountriesList", async (_request, { key }) => {
      calls += 1;
      if (calls % 5 === 0) started.server.rotateSalt(key.id);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Api.help.CountriesListNotModified();
    });
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => client.invoke(new Api.help.GetCountriesList({ langCode: "en", hash: 0 }))),
      );
      expect(answers).toHaveLength(20);
    }
    expect(calls).toBe(60);
  });

  it.each([-120_000, 600_000])("corrects its clock when the server's is %d ms ahead", async (offsetMs) => {
    const first = await connected();
    const { session } = first;
    await first.disconnect();
    started.server.clockOffsetMs = offsetMs;
    const again = await connected({}, session as StringSession);
    expect((await again.invoke(nearest())).thisDc).toBe(1);
  });

  it("reconnects after the connection drops and repeats what was not answered", async () => {
    const client = await connected();
    let answer = false;
    started.backend.open("help.GetInviteText", () => (answer ? new Api.help.InviteText({ message: "come" }) : noAnswer));
    const invite = client.invoke(new Api.help.GetInviteText());
    await vi.waitFor(() => expect(started.backend.calls).toContain("help.GetInviteText"));
    answer = true;
    for (const connection of started.backend.connections) connection.destroy();
    expect((await invite).message).toBe("come");
    expect((await client.invoke(nearest())).thisDc).toBe(1);
  });

  it("goes on with a stored key, also after the server was restarted", async () => {
    const first = await connected();
    const { session } = first;
    await first.disconnect();
    const made = started.server.keys.size;
    const again = await connected({}, session as StringSession);
    expect((await again.invoke(nearest())).thisDc).toBe(1);
    expect(started.server.keys.size).toBe(made);
    const stored = JSON.parse(JSON.stringify(started.server.exportKeys()));
    const other = await startServer({});
    other.server.importKeys(stored);
    try {
      const moved = gramClient(other.server, {}, again.session as StringSession);
      clients.push(moved);
      await moved.connect();
      expect((await moved.invoke(nearest())).thisDc).toBe(1);
      expect(other.server.keys.size).toBe(stored.length);
    } finally {
      await clients.pop()?.destroy();
      await other.stop();
    }
  });

  it("is told that its key is unknown", async () => {
    const client = await connected();
    // Without a known account GramJS requests it before it delivers any event, on the broken connection.
    Reflect.set(client, "_selfInputPeer", new Api.InputPeerUser({ userId: bigInt(1), accessHash: bigInt(1) }));
    const states: number[] = [];
    client.addEventHandler((update: unknown) => void (update instanceof UpdateConnectionState && states.push(update.state)), new Raw({}));
    const [key] = [...started.server.keys.keys()].slice(-1);
    expect(started.server.dropKey(key ?? "")).toBe(true);
    const lost = client.invoke(nearest()).catch(() => undefined);
    await vi.waitFor(() => expect(states).toContain(UpdateConnectionState.broken));
    void lost;
  });

  it("follows a chain of sends in order", async () => {
    const order: string[] = [];
    started.backend.open("messages.SendMessage", async (request: Api.messages.SendMessage) => {
      await new Promise((resolve) => setTimeout(resolve, order.length === 0 ? 30 : 0));
      order.push(request.message);
      return new Api.UpdateShortSentMessage({ out: true, id: order.length, pts: 1, ptsCount: 1, date: 1 });
    });
    const client = await connected();
    const send = (message: string) =>
      client.invoke(new Api.messages.SendMessage({ peer: new Api.InputPeerSelf(), message, randomId: bigInt(message.length) }));
    await Promise.all(["a", "bb", "ccc", "dddd"].map(send));
    expect(order).toEqual(["a", "bb", "ccc", "dddd"]);
  });

  it("keeps many calls apart", async () => {
    started.backend.open("contacts.ResolveUsername", async (request: Api.contacts.ResolveUsername) => {
      await new Promise((resolve) => setTimeout(resolve, Number(request.username) % 7));
      throw new RpcFault(400, `NAME_${request.username}`);
    });
    const client = await connected();
    const names = Array.from({ length: 300 }, (_, index) => String(index));
    const errors = await Promise.all(
      names.map((username) =>
        client.invoke(new Api.contacts.ResolveUsername({ username })).catch((error: unknown) => (error as Error).message),
      ),
    );
    expect(errors).toEqual(names.map((name) => `400: NAME_${name} (caused by contacts.ResolveUsername)`));
  });
});
