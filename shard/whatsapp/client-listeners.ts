import { getBinaryNodeChild, getBinaryNodeChildren, isJidGroup, proto, type BinaryNode, type WASocket } from "@whiskeysockets/baileys";
import type { ClientEvents } from "./client-options.js";
import { isUserJid } from "./jid.js";
import { isSeen, timerIn, timerOf, timersOf } from "./message/disappearing.js";
import { saltIn } from "./network/app-state-mutations.js";
import { changedUsers } from "./network/changed-users.js";
import { historySalt } from "./network/history-settings.js";
import { bytesOf } from "./passkey/stanza.js";

/** Forwards the library's events of one connection to `events`. The listeners end with the library's socket. */
export function passOn({ ev, ws }: Pick<WASocket, "ev" | "ws">, events: ClientEvents): void {
  ev.on("contacts.upsert", (contacts) => events.onContacts(contacts));
  // The library puts contacts that arrive while it buffers a history into this event. Its chats are listed as contacts too, without names.
  ev.on("messaging-history.set", ({ contacts, chats, pastParticipants, syncType }) => {
    events.onContacts(contacts.filter(({ name }) => name !== undefined));
    const salt = historySalt(pastParticipants);
    if (salt !== undefined) events.onHistorySalt(salt);
    if (syncType === proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP) events.onChats(timersOf(chats));
  });
  ev.on("groups.update", (groups) => {
    for (const { id } of groups) if (id !== undefined) events.onGroupChanged(id);
  });
  ev.on("settings.update", (update) => {
    const salt = saltIn(update);
    if (salt !== undefined) events.onSalt(salt);
  });
  ev.on("chats.update", (chats) => {
    for (const { id, ...change } of chats) {
      const timer = timerOf(change);
      if (timer === undefined || id === undefined || id === null) continue;
      if (isJidGroup(id) === true) events.onGroupChanged(id);
      events.onTimer(id, timer);
    }
  });
  ev.on("messages.upsert", ({ messages }) => {
    for (const message of messages) {
      const timer = timerIn(message);
      const chat = message.key.remoteJid ?? "";
      if (!isUserJid(chat)) continue;
      if (timer !== undefined) events.onTimer(chat, timer);
      else if (isSeen(message)) events.onMessage(chat, message.key.fromMe === true);
    }
  });
  ev.on("connection.update", ({ reachoutTimeLock }) => {
    if (reachoutTimeLock !== undefined) events.onLock(reachoutTimeLock);
  });
  ev.on("message-capping.update", (info) => events.onCap(info));
  ev.on("group-participants.update", ({ id }) => events.onGroupChanged(id));
  // The library does not handle these stanzas, or handles them incompletely, so the adapter reads them itself.
  ws.on("CB:iq,type:set,pair-device", (node: BinaryNode) => events.onReferences(references(node)));
  ws.on("CB:notification,type:companion_reg_refresh", () => events.onRefresh());
  ws.on("CB:notification,type:passkey_prologue_request", (node: BinaryNode) => events.onPasskeyRequest(node));
  ws.on("CB:notification,type:crsc_continuation", (node: BinaryNode) => events.onContinuation(node));
  ws.on("CB:notification,type:devices", (node: BinaryNode) => events.onDevicesChanged(changedUsers(node)));
}

function references(stanza: BinaryNode): string[] {
  return getBinaryNodeChildren(getBinaryNodeChild(stanza, "pair-device"), "ref").flatMap((ref) => bytesOf(ref)?.toString() ?? []);
}
