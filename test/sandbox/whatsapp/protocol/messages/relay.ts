/** Passes on what a client encrypted for linked devices of others, or of its own account: the server cannot read it, but the devices can. */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import type { User, WhatsAppBackend } from "../../whatsapp-backend.js";
import type { DeviceBook, DeviceRecord } from "../device-book.js";
import { child, children, node, unixSeconds } from "../node.js";
import type { Delivery } from "./delivery.js";
import { participantIn } from "./message-writer.js";

export interface RelayTools {
  readonly backend: Pick<WhatsAppBackend, "account" | "addressing" | "members" | "user">;
  readonly devices: DeviceBook;
  readonly delivery: Delivery;
}

/** JIDs of the connected devices that got the message; for the others it waits. Of a `repeated` message only what one device asked for is passed on. */
export function relay(stanza: BinaryNode, sender: DeviceRecord, repeated: boolean, tools: RelayTools): string[] {
  const identity = children(stanza, "device-identity");
  const group = children(stanza, "enc").filter(({ attrs }) => attrs.type === "skmsg");
  const reached: string[] = [];
  for (const [device, own] of copies(stanza, repeated, tools)) {
    if (device === sender) continue;
    if (tools.delivery.deliver(device, node("message", address(stanza, sender, device, tools), [...own, ...group, ...identity])))
      reached.push(device.jid);
  }
  return reached;
}

/** What each device alone gets of it; those that have the sender key already get nothing of their own. */
function copies(stanza: BinaryNode, repeated: boolean, tools: RelayTools): Map<DeviceRecord, BinaryNode[]> {
  const { to = "", participant } = stanza.attrs;
  const found = new Map<DeviceRecord, BinaryNode[]>();
  const direct = children(stanza, "enc").filter(({ attrs }) => attrs.type !== "skmsg");
  const alone = direct.length === 0 ? undefined : find(participant ?? to, tools);
  if (alone) return found.set(alone, direct);
  if (repeated) return found;
  if (to.endsWith("@g.us"))
    for (const { phone } of tools.backend.members?.(to) ?? []) for (const device of tools.devices.of(phone)) found.set(device, []);
  for (const copy of children(child(stanza, "participants"), "to")) {
    const device = find(copy.attrs.jid ?? "", tools);
    if (device) found.set(device, children(copy, "enc"));
  }
  return found;
}

function address(
  { attrs: { id = "", to = "", type = "text", recipient: chat = to, edit } }: BinaryNode,
  sender: DeviceRecord,
  recipient: User,
  { backend }: RelayTools,
): Record<string, string | undefined> {
  const notify = backend.account(sender.phone)?.pushName || undefined;
  const common = { id, type, t: unixSeconds(), edit, notify };
  if (to.endsWith("@g.us") || to === "status@broadcast")
    return { ...common, from: to, ...participantIn(backend.addressing?.(to) ?? "lid", sender.lidJid, sender.jid) };
  // A copy for the own account names the chat that the message was sent to.
  const from =
    backend.account(recipient.phone)?.lidMigrated === true
      ? { from: sender.lidJid, sender_pn: sender.jid }
      : { from: sender.jid, sender_lid: sender.lidJid };
  return { ...common, ...from, recipient: recipient.lid === sender.lid ? chat : undefined };
}

function find(jid: string, { backend, devices }: RelayTools): DeviceRecord | undefined {
  const { user: part, server, device } = jidDecode(jid) ?? {};
  if (part === undefined || !device) return undefined;
  const user = backend.user(server === "lid" ? { lid: part } : { phone: part });
  return user && devices.find(user.phone, device);
}
