import type { BinaryNode } from "@whiskeysockets/baileys";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import { serverJid } from "../whatsapp-backend.js";
import type { Account } from "./account.js";
import type { World } from "./world.js";

/** Variants of the fault `restricted`, named by its `error`. The platform announces the first two to the account's devices. */
export const restrictionKinds = ["lock", "cap", "silent"] as const;
export type RestrictionKind = (typeof restrictionKinds)[number];

/** New chats that an account may begin. */
const quota = 50;

/** The platform's data on an account's new chats, with names as in `lib/Types/State.js` of Baileys. Times are Unix seconds, as text. */
export function lockOf(world: World, { account }: Account): object {
  const fault = world.faults.holding("restricted", account);
  if (fault === undefined || fault.error === "cap") return { is_active: false, time_enforcement_ends: "0", enforcement_type: "DEFAULT" };
  return { is_active: true, time_enforcement_ends: endOf(world, account), enforcement_type: "BIZ_QUALITY" };
}

export function capOf(world: World, { account, begunChats }: Account): object {
  const isCapped = world.faults.holding("restricted", account)?.error === "cap";
  return {
    total_quota: quota,
    used_quota: isCapped ? quota : Math.min(quota, begunChats.size),
    cycle_start_timestamp: String(Math.floor(Date.now() / 1_000) - 86_400),
    cycle_end_timestamp: isCapped ? endOf(world, account) : String(Math.floor(Date.now() / 1_000) + 6 * 86_400),
    server_sent_timestamp: unixSeconds(),
    ote_status: "NOT_ELIGIBLE",
    mv_status: "NOT_ELIGIBLE",
    capping_status: isCapped ? "CAPPED" : "NONE",
  };
}

/** The notification of a change, as `lib/Socket/messages-recv.js` of Baileys reads it. */
export function restrictionNotice(world: World, account: Account, kind: RestrictionKind): BinaryNode {
  const [operation, data] =
    kind === "cap"
      ? ["MessageCappingInfoNotification", { xwa2_notify_new_chat_messages_capping_info_update: capOf(world, account) }]
      : ["NotificationUserReachoutTimelockUpdate", { xwa2_notify_account_reachout_timelock: lockOf(world, account) }];
  return node("notification", { from: serverJid, type: "mex", id: stanzaId(), t: unixSeconds() }, [
    node("update", { op_name: operation }, Buffer.from(JSON.stringify({ data }))),
  ]);
}

/** Until cleared, a restriction ends in a week. */
function endOf(world: World, account: string): string {
  const at = Math.min(world.faults.endOf("restricted", account), Date.now() + 7 * 86_400_000);
  return String(Math.ceil(at / 1_000));
}
