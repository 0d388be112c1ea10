import { getBinaryNodeChild, getBinaryNodeChildren, type BinaryNode } from "@whiskeysockets/baileys";
import type { FoundPhone, PhoneQuery } from "../../../shared/contract/phone-look-up.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { isUserJid, phoneOf, userJid } from "../jid.js";

/** GET /phone: which numbers have an account, in one query. The library's `onWhatsApp` returns no anonymous ids and no usernames. */
export async function lookUpPhones(connector: WhatsAppConnector, { phones }: PhoneQuery): Promise<{ docs: FoundPhone[] }> {
  const client = connector.connected();
  await connector.context.pace.lookUps.count(phones.length);
  const found = new Map((await readUsers(client, phones)).map((user) => [user.phone, user]));
  const mappings = [...found.values()].flatMap(({ user, lid }) => (lid === "" || phoneOf(user) === "" ? [] : [{ pn: user, lid }]));
  // Later chats with these people are then known by both ids.
  if (mappings.length > 0) await client.sock.signalRepository.lidMapping.storeLIDPNMappings(mappings);
  return { docs: phones.map((phone) => found.get(phone) ?? { phone, exists: false, user: "", lid: "", username: "" }) };
}

async function readUsers(client: Client, phones: readonly string[]): Promise<FoundPhone[]> {
  const users = phones.map((phone) => node("user", [node("contact", Buffer.from(`+${phone}`))]));
  const attrs = { context: "interactive", mode: "query", sid: client.sock.generateMessageTag(), last: "true", index: "0" };
  const usync: BinaryNode = {
    tag: "usync",
    attrs,
    content: [
      node(
        "query",
        protocols.map((tag) => node(tag)),
      ),
      node("list", users),
    ],
  };
  const response = await client.query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "usync" }, content: [usync] });
  const list = getBinaryNodeChild(getBinaryNodeChild(response, "usync"), "list");
  return getBinaryNodeChildren(list, "user").flatMap((user) => toFound(user) ?? []);
}

const protocols = ["contact", "lid", "username"] as const;

/** Returns `undefined` for a number without an account. The platform repeats the number of the query. */
function toFound(user: BinaryNode): FoundPhone | undefined {
  const contact = getBinaryNodeChild(user, "contact");
  const jid = userJid(user.attrs["jid"] ?? "");
  if (contact?.attrs["type"] !== "in" || !isUserJid(jid)) return undefined;
  const lid = getBinaryNodeChild(user, "lid")?.attrs["val"] ?? "";
  return {
    phone: textOf(contact).replace(/[^0-9]/g, "") || phoneOf(jid),
    exists: true,
    user: jid,
    lid: lid === "" ? "" : userJid(lid),
    username: textOf(getBinaryNodeChild(user, "username")),
  };
}

function textOf(found: BinaryNode | undefined): string {
  const content = found?.content;
  return content instanceof Uint8Array ? Buffer.from(content).toString() : typeof content === "string" ? content : "";
}

const node = (tag: string, content?: BinaryNode["content"]): BinaryNode => ({ tag, attrs: {}, ...(content && { content }) });
