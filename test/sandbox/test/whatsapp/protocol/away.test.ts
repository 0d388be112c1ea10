import { type AuthenticationCreds, type BinaryNode, DEFAULT_CONNECTION_CONFIG, getBinaryNodeChild, proto } from "@whiskeysockets/baileys";
import { generateLoginNode } from "@whiskeysockets/baileys/lib/Utils/validate-connection.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { node } from "../../../whatsapp/protocol/node.js";
import type { Device } from "../../../whatsapp/whatsapp-backend.js";
import { RawClient } from "./raw-client.js";
import { startServer, type StartedServer, userOf } from "./test-backend.js";

const phone = "6281300000001";
const ann = userOf("6281200000001");
const receipt = (id: string): BinaryNode => node("receipt", { from: `${ann.phone}@s.whatsapp.net`, id });
const notification = node("notification", { from: `${ann.phone}@s.whatsapp.net`, type: "picture", id: "N1" }, [node("set", { id: "1" })]);
const typing = node("chatstate", { from: `${ann.phone}@s.whatsapp.net` }, [node("composing")]);

let started: StartedServer;
let creds: AuthenticationCreds;
let device: Device;
const clients: RawClient[] = [];

beforeEach(async () => {
  started = await startServer();
  started.backend.add(phone, { firstSync: "silent" });
  creds = started.server.fabricate(phone);
  device = linked(started);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  expect(started.backend.errors).toEqual([]);
  await started.stop();
});

function linked({ server }: StartedServer): Device {
  const [found] = server.devices(phone);
  if (!found) throw new Error("no device");
  return found;
}

/** Returns a client that is logged in but not active. */
async function loggedIn(): Promise<RawClient> {
  const client = await RawClient.open(started.server);
  clients.push(client);
  await client.hello();
  const config = { ...DEFAULT_CONNECTION_CONFIG, auth: { creds, keys: { get: () => ({}), set: () => undefined } } };
  client.finish(proto.ClientPayload.encode(generateLoginNode(creds.me?.id ?? "", config)).finish(), creds.noiseKey);
  expect((await client.nextStanza())?.tag).toBe("success");
  return client;
}

/** Makes the client active and returns its stanzas up to the notice that the queue is empty. */
async function caughtUp(client: RawClient): Promise<BinaryNode[]> {
  client.stanza(node("iq", { id: "1", to: "@s.whatsapp.net", xmlns: "passive", type: "set" }, [node("active")]));
  const got: BinaryNode[] = [];
  for (;;) {
    const stanza = await client.nextStanza();
    if (!stanza) throw new Error("closed");
    got.push(stanza);
    if (getBinaryNodeChild(stanza, "offline")) return got.filter((one) => one.tag !== "iq" && !getBinaryNodeChild(one, "edge_routing"));
  }
}

/** Returns once the server has taken all that the client sent. */
async function answered(client: RawClient): Promise<void> {
  client.stanza(node("iq", { id: "ping", to: "@s.whatsapp.net", xmlns: "w:p", type: "get" }));
  for (;;) {
    const stanza = await client.nextStanza();
    if (!stanza || stanza.attrs["id"] === "ping") return;
  }
}

describe("a device that is away", () => {
  it("gets what came meanwhile once it is active, in order, counted and marked", async () => {
    expect(await started.server.sendToDevice(device, ann, { conversation: "hello" }, { id: "M1" })).toBeUndefined();
    expect(started.server.push(device, receipt("R1"))).toBe(false);
    expect(started.server.push(device, notification)).toBe(false);
    expect(started.server.push(device, typing)).toBe(false);
    const client = await loggedIn();
    // The device is connected but has not received its queue, so this message must not overtake it.
    await started.server.sendToDevice(device, ann, { conversation: "again" }, { id: "M2" });
    const [preview, ...rest] = await caughtUp(client);
    expect(getBinaryNodeChild(preview, "offline_preview")?.attrs).toEqual({
      count: "4",
      message: "2",
      receipt: "1",
      notification: "1",
      appdata: "0",
    });
    expect(rest.slice(0, 4).map(({ tag, attrs: { id, offline } }) => [tag, id, offline])).toEqual([
      ["message", "M1", "0"],
      ["receipt", "R1", "1"],
      ["notification", "N1", "2"],
      ["message", "M2", "3"],
    ]);
    expect(getBinaryNodeChild(rest[4], "offline")?.attrs).toEqual({ count: "4" });
    started.server.push(device, receipt("R2"));
    expect(await client.nextStanza()).toMatchObject({ tag: "receipt", attrs: { id: "R2" } });
  });

  it("gets what it confirmed no second time, and the rest again", async () => {
    for (const stanza of [receipt("R1"), receipt("R2"), notification]) started.server.push(device, stanza);
    await started.server.sendToDevice(device, ann, { conversation: "hello" }, { id: "M1" });
    const unsure = await loggedIn();
    await caughtUp(unsure);
    unsure.stanza(node("ack", { id: "R2", class: "receipt", to: "@s.whatsapp.net" }));
    await answered(unsure);
    const first = await loggedIn();
    const again = await caughtUp(first);
    expect(again.slice(1, 4).map(({ attrs: { id, offline } }) => [id, offline])).toEqual([
      ["R1", "0"],
      ["N1", "1"],
      ["M1", "2"],
    ]);
    first.stanza(node("ack", { id: "R1", class: "receipt", to: "@s.whatsapp.net" }));
    first.stanza(node("ack", { id: "N1", class: "notification", to: "@s.whatsapp.net" }));
    first.stanza(node("receipt", { id: "M1", to: "@s.whatsapp.net" }));
    await answered(first);
    const second = await loggedIn();
    const [preview, end] = await caughtUp(second);
    expect(getBinaryNodeChild(preview, "offline_preview")?.attrs.count).toBe("0");
    expect(getBinaryNodeChild(end, "offline")?.attrs.count).toBe("0");
  });

  it("gets the newest thousand when more came", async () => {
    for (let n = 0; n <= 1_000; n++) started.server.push(device, receipt(`R${n}`));
    const [preview, oldest, ...rest] = await caughtUp(await loggedIn());
    expect(getBinaryNodeChild(preview, "offline_preview")?.attrs).toMatchObject({ count: "1000", receipt: "1000" });
    expect(oldest?.attrs).toMatchObject({ id: "R1", offline: "0" });
    expect(rest.at(-2)?.attrs).toMatchObject({ id: "R1000", offline: "999" });
  });

  it("gets it after a restart of the server, too", async () => {
    await started.server.sendToDevice(device, ann, { conversation: "hello" }, { id: "M1" });
    const stored = JSON.stringify([...started.server.exportState()]);
    const { backend } = started;
    await started.stop();
    started = await startServer({}, backend);
    for (const record of JSON.parse(stored)) started.server.importState(record);
    const [, message] = await caughtUp(await loggedIn());
    expect(message).toMatchObject({ tag: "message", attrs: { id: "M1", offline: "0" } });
  });
});
