/**
 * Requests of other clients that differ from Baileys', according to their sources (test/sandbox/other-clients.md). Baileys carries the
 * stanzas.
 */
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type WAMessageUpdate } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { ask, WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let kenji: Client;
let bob: Client;
const [bobJid, kenjiJid] = ["6281155501002@s.whatsapp.net", "6281155501011@s.whatsapp.net"];

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  kenji = await sandbox.linked("kenji");
  bob = await sandbox.linked("bob");
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

async function set(client: Client, xmlns: string, content: BinaryNode[]): Promise<BinaryNode> {
  const answer: unknown = await client.socket.query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "set", xmlns }, content });
  return answer as BinaryNode;
}

describe("whatsmeow", () => {
  // keepalive.go, sendKeepAlive: the request is empty. Baileys adds a <ping/>.
  it("asks whether the connection lives with nothing in its question", async () => {
    const answer: unknown = await bob.socket.query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "w:p" } });
    expect((answer as BinaryNode).attrs).toMatchObject({ type: "result", from: "@s.whatsapp.net" });
  });

  // appstate.go, fetchAppStatePatches: one collection per request. Baileys requests all at once, each with a version.
  it("asks for one collection of the app state at a time, for a whole one without its version", async () => {
    const collection = async (attrs: Record<string, string>): Promise<BinaryNode | undefined> => {
      const answer = await set(bob, "w:sync:app:state", [
        { tag: "sync", attrs: {}, content: [{ tag: "collection", attrs: { name: "critical_unblock_low", ...attrs } }] },
      ]);
      const collections = getBinaryNodeChildren(getBinaryNodeChild(answer, "sync"), "collection");
      expect(collections).toHaveLength(1);
      return collections[0];
    };
    const patchesOf = (found: BinaryNode | undefined): number =>
      getBinaryNodeChildren(getBinaryNodeChild(found, "patches"), "patch").length;
    const whole = await collection({ return_snapshot: "true" });
    const version = Number(whole?.attrs["version"]);
    expect([version >= 1, patchesOf(whole)]).toEqual([true, version]);
    expect(patchesOf(await collection({ return_snapshot: "false", version: String(version) }))).toBe(0);
  });

  // prekeys.go, getServerPreKeyCount and uploadPreKeys: 50 keys at a time with the signed key, when fewer than five are left.
  it("brings fifty one-time keys, and counts what is there", async () => {
    const count = async (): Promise<number> =>
      Number(getBinaryNodeChild(await ask(bob, "encrypt", { tag: "count", attrs: {} }), "count")?.attrs["value"]);
    const before = await count();
    await bob.socket.uploadPreKeys(50);
    expect(await count()).toBe(before + 50);
  });

  // receipt.go, MarkRead: several messages at once, the first in the stanza's own id.
  it("tells of several messages in one receipt that they were read", async () => {
    const updates: WAMessageUpdate[] = [];
    kenji.socket.ev.on("messages.update", (some) => void updates.push(...some));
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) ids.push(String((await sandbox.sent(kenji, "kenji", bobJid, { text }))["id"]));
    const [first = "", ...others] = ids;
    await bob.socket.sendNode({
      tag: "receipt",
      attrs: { id: first, type: "read", to: kenjiJid, t: "1795000000" },
      content: [{ tag: "list", attrs: {}, content: others.map((id) => ({ tag: "item", attrs: { id } })) }],
    });
    await until(() => ids.every((id) => updates.some(({ key, update }) => key.id === id && update.status === 4)));
  });

  // user.go, GetBusinessProfile and parseBusinessProfile: each part by its tag, and an error without a profile.
  it("asks what a business tells of itself", async () => {
    const profile = async (jid: string): Promise<BinaryNode | undefined> => {
      const answer = await ask(bob, "w:biz", {
        tag: "business_profile",
        attrs: { v: "244" },
        content: [{ tag: "profile", attrs: { jid } }],
      });
      const found = getBinaryNodeChild(answer, "business_profile");
      expect(found).toBeDefined();
      return getBinaryNodeChild(found, "profile");
    };
    const found = await profile(kenjiJid);
    const textOf = (tag: string, within = found): string =>
      Buffer.from((getBinaryNodeChild(within, tag)?.content ?? "") as Uint8Array).toString();
    expect([found?.attrs["jid"], textOf("address"), textOf("email")]).toEqual([kenjiJid, "1 Sandbox Street", "shop@example.com"]);
    expect(textOf("category", getBinaryNodeChild(found, "categories"))).toBe("Shop");
    const hours = getBinaryNodeChild(found, "business_hours");
    expect(hours?.attrs["timezone"]).toBe("Asia/Tokyo");
    expect(getBinaryNodeChildren(hours, "business_hours_config").map(({ attrs }) => attrs)).toContainEqual({
      ...{ day_of_week: "mon", mode: "specific_hours", open_time: "540", close_time: "1080" },
    });
    expect(getBinaryNodeChildren(getBinaryNodeChild(found, "profile_options"), "cart_enabled")).toHaveLength(1);
    // Only business accounts have a profile.
    expect(await profile(bobJid)).toBeUndefined();
    expect(await bob.socket.getBusinessProfile(kenjiJid)).toMatchObject({ wid: kenjiJid, description: "Tanaka Tea", category: "Shop" });
    expect(await bob.socket.getBusinessProfile(bobJid)).toBeUndefined();
  });
});
