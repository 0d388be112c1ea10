import { memberJid } from "../iq/group-node.js";
import { node, unixSeconds } from "../protocol/node.js";
import type { Device, User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import { jidOf } from "../world/jid.js";
import type { World } from "../world/world.js";

/** Members of a group whose phones send a receipt. On the platform all do, which is one stanza per member and message. */
const maxReceipts = 16;

export interface Receivers {
  /** JID of the chat. */
  readonly chat: string;
  readonly id: string;
  /** People whose phone has decrypted the message. */
  readonly readers: readonly User[];
  /** The account's own phone has its copy. */
  readonly isOnOwnPhone: boolean;
}

/** Sends the receipts of the recipients' phones: delivered, and `sender` of the account's own phone. */
export function sendReceipts(world: World, wire: WhatsAppWire, account: Account, sender: Device, receivers: Receivers): void {
  const { chat, id, readers, isOnOwnPhone } = receivers;
  const { faults } = world;
  if (sender.removed || faults.holding("stall", account.account) !== undefined) return;
  const common = { id, t: unixSeconds() };
  const own = chat.endsWith("@lid") ? `${account.lid}@lid` : jidOf(account);
  const group = world.group(chat);
  if (group === undefined && isOnOwnPhone) wire.push(sender, node("receipt", { ...common, from: own, recipient: chat, type: "sender" }));
  for (const reader of readers.filter(({ phone }) => phone !== account.phone).slice(0, maxReceipts)) {
    if (faults.takeNamed("gap", account.account, "receipt") !== undefined) continue;
    const from = group === undefined ? { from: world.chatJid(account, reader) } : { from: chat, participant: memberJid(group, reader) };
    wire.push(sender, node("receipt", { ...common, ...from }));
  }
}
