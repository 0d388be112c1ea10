import { randomBytes } from "node:crypto";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Doc } from "../../control/platform-control.js";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import type { Account } from "../world/account.js";
import { jidOf } from "../world/jid.js";
import type { PeopleTools } from "./people-control.js";

/**
 * Rings the account's devices as the other side of a private chat: `{account, chat?, video?}`, or ends that call with `callId` and
 * `action: "terminate"` (whatsmeow's call.go, handleCallEvent).
 */
export function call({ world, wire, chats, messages }: PeopleTools, account: Account, fields: Fields): Doc {
  const chat = chats.chat(account, fields);
  if (world.group(chat) !== undefined || world.channel(chat) !== undefined) throw new ControlError(400, "chat must be a private chat");
  const action = fields.optionalText("action") === undefined ? "offer" : fields.oneOf("action", ["offer", "terminate"]);
  const callId = action === "offer" ? randomBytes(16).toString("hex").toUpperCase() : fields.text("callId");
  const caller = chats.person(chat, "chat");
  const isNumberKnown = chat.endsWith("@lid") && !world.hidesNumber(caller);
  const attrs = { "call-id": callId, "call-creator": chat, ...(isNumberKnown && { caller_pn: jidOf(caller) }) };
  const media = [node("audio", { enc: "opus", rate: "16000" }), ...(fields.flag("video") ? [node("video", { enc: "vp8" })] : [])];
  const content = action === "offer" ? node("offer", attrs, media) : node("terminate", { ...attrs, reason: "timeout" });
  const stanza = node("call", { from: chat, id: stanzaId(), t: unixSeconds(), platform: "android", version: "2.25.1.1" }, [content]);
  const rings = !world.blocks(account, caller);
  for (const device of rings ? wire.devices(account.phone) : []) if (!messages.isSwallowed(account)) wire.push(device, stanza);
  return { account: account.account, chatId: chat, callId };
}
