/** Passes on what a client encrypted for linked devices of others, or of its own account: the server cannot read it, but the devices can. */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import type { User, WhatsAppBackend } from "../../whatsapp-backend.js";
import type { DeviceBook, DeviceRecord } from "../device-book.js";
import { child, children, node, unixSeconds } from "../node.js";

export interface RelayTools {
  readonly backend: Pick<WhatsAppBackend, "user">;
  readonly devices: DeviceBook;
}

/** JIDs of the connected devices that got the message. */
export function relay(stanza: BinaryNode, sender: DeviceRecord, tools: RelayTools): string[] {
  const identity = children(stanza, "device-identity");
  const group = children(stanza, "enc").filter(({ attrs }) => attrs.type === "skmsg");
  const reached: string[] = [];
  for (const to of children(child(stanza, "participants"), "to")) {
    const device = find(to.attrs.jid ?? "", tools);
    if (!device?.connection?.open || device === sender) continue;
    const content = [...children(to, "enc"), ...group, ...identity];
    device.connection.send(node("message", address(stanza, sender, device), content));
    reached.push(to.attrs.jid ?? "");
  }
  return reached;
}

function address({ attrs: { id = "", to = "", type = "text" } }: BinaryNode, sender: DeviceRecord, recipient: User): Record<string, string | undefined> {
  const common = { id, type, t: unixSeconds() };
  if (to.endsWith("@g.us") || to === "status@broadcast") return { ...common, from: to, participant: sender.lidJid, participant_pn: sender.jid, addressing_mode: "lid" };
  // A copy for the own account names the chat that the message was sent to.
  return { ...common, from: sender.jid, sender_lid: sender.lidJid, recipient: recipient.lid === sender.lid ? to : undefined };
}

function find(jid: string, { backend, devices }: RelayTools): DeviceRecord | undefined {
  const { user: part, server, device } = jidDecode(jid) ?? {};
  if (part === undefined || !device) return undefined;
  const user = backend.user(server === "lid" ? { lid: part } : { phone: part });
  return user && devices.find(user.phone, device);
}
