/**
 * Forwards a client's encrypted copies to linked devices of other accounts or of its own. The server cannot read them, but the devices
 * can.
 */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import type { User, WhatsAppBackend } from "../../whatsapp-backend.js";
import type { DeviceBook, DeviceRecord } from "../device-book.js";
import { child, children, node, unixSeconds } from "../node.js";
import type { Delivery } from "./delivery.js";
import { participantIn } from "./message-writer.js";

export interface RelayTools {
  readonly backend: Pick<WhatsAppBackend, "account" | "addressing" | "blocks" | "hidesNumber" | "members" | "user">;
  readonly devices: DeviceBook;
  readonly delivery: Delivery;
}

/**
 * Returns the JIDs of the connected devices that received the message; it is queued for others. A `repeated` message goes only to the
 * device that requested it.
 */
export function relay(stanza: BinaryNode, sender: DeviceRecord, repeated: boolean, tools: RelayTools): string[] {
  const identity = children(stanza, "device-identity");
  const group = children(stanza, "enc").filter(({ attrs }) => attrs.type === "skmsg");
  const reached: string[] = [];
  // Members of a group read each other, blocked or not.
  const isPrivate = !/@(g\.us|broadcast)$/.test(stanza.attrs.to ?? "");
  for (const [device, own] of copies(stanza, repeated, tools)) {
    if (device === sender || (isPrivate && tools.backend.blocks?.(device, sender) === true)) continue;
    if (tools.delivery.deliver(device, node("message", address(stanza, sender, device, tools), [...own, ...group, ...identity])))
      reached.push(device.jid);
  }
  return reached;
}

/** Returns the nodes for each single device. A device that already has the sender key gets none. */
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
  const isNumberHidden = backend.hidesNumber?.(sender, to) === true && recipient.lid !== sender.lid;
  const common = { id, type, t: unixSeconds(), edit, notify };
  if (to.endsWith("@g.us") || to === "status@broadcast")
    return { ...common, from: to, ...participantIn(backend.addressing?.(to) ?? "lid", sender.lidJid, sender.jid, isNumberHidden) };
  // A copy for the sender's own account names the chat of the message.
  const from =
    isNumberHidden || backend.account(recipient.phone)?.lidMigrated === true
      ? { from: sender.lidJid, sender_pn: isNumberHidden ? undefined : sender.jid }
      : { from: sender.jid, sender_lid: sender.lidJid };
  return { ...common, ...from, recipient: recipient.lid === sender.lid ? chat : undefined };
}

function find(jid: string, { backend, devices }: RelayTools): DeviceRecord | undefined {
  const { user: part, server, device } = jidDecode(jid) ?? {};
  if (part === undefined || !device) return undefined;
  const user = backend.user(server === "lid" ? { lid: part } : { phone: part });
  return user && devices.find(user.phone, device);
}
