import type { BinaryNode } from "@whiskeysockets/baileys";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import type { User } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { jidOf } from "../world/jid.js";
import { memberJid } from "./group-node.js";
import type { IqRequest } from "./iq-request.js";

/**
 * Notifies all devices of all current (or former) members of a change, including the requesting device (whatsmeow's types/events,
 * JoinedGroup.CreateKey).
 */
export function tellMembers(
  { account, tell }: Pick<IqRequest, "tell"> & { readonly account: User & { readonly pushName: string } },
  group: Group,
  change: BinaryNode,
  to: Iterable<User> = group.accounts(),
): void {
  const { addressing } = group.options;
  const number = addressing === "lid" ? { participant_pn: jidOf(account) } : {};
  const by = { participant: memberJid(group, account), ...number, notify: account.pushName || undefined, addressing_mode: addressing };
  tell(to, () => node("notification", { from: group.id, type: "w:gp2", id: stanzaId(), t: unixSeconds(), ...by }, [change]));
}
