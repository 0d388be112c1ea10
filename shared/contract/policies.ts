import type { CommandName, CommandPolicy } from "./commands.js";
import type { Platform } from "./platform.js";
import { listTimeoutMs, mediaWaitMs, passwordTimeoutMs, sendTimeoutMs } from "../limits.js";

const list: CommandPolicy = { class: "read", deadlineMs: listTimeoutMs, needsConnection: true };

/** Class, deadline and needs of every command (reliability sheet 2.5, "Deadlines by kind" and "Classes"). */
export const policies: { readonly [P in Platform]: { readonly [C in CommandName<P>]: CommandPolicy } } = {
  whatsapp: {
    "create-session": { class: "read", deadlineMs: 15_000, needsConnection: false, sealed: true },
    // The record names the command that took it out of the trash: a repeat finds its own outcome.
    "undelete-session": { class: "read", deadlineMs: 15_000, needsConnection: false },
    "reset-session": { class: "once", deadlineMs: listTimeoutMs, needsConnection: false },
    "delete-session": { class: "once", deadlineMs: listTimeoutMs, needsConnection: false },
    // The message id derives from the command id: a repeat is the same message.
    "send-message": { class: "send", deadlineMs: sendTimeoutMs, needsConnection: true, sealed: true },
    "post-status": { class: "send", deadlineMs: sendTimeoutMs, needsConnection: true, sealed: true },
    "send-typing": { class: "read", deadlineMs: 10_000, needsConnection: true, sealed: true },
    "list-groups": list,
    "get-group": list,
    "list-group-members": list,
    "list-channels": list,
    "get-channel": list,
    "list-channel-messages": list,
  },
  telegram: {
    // Repeatable by construction: the router made the id, and a record that is there already is the outcome.
    "create-session": { class: "read", deadlineMs: 15_000, needsConnection: false },
    "undelete-session": { class: "read", deadlineMs: 15_000, needsConnection: false },
    "submit-password": { class: "once", deadlineMs: passwordTimeoutMs, needsConnection: false, sealed: true },
    // Ordered among the session's other changes; a repeat of the same settings changes nothing. The token is a secret.
    "set-webhook": { class: "send", deadlineMs: 15_000, needsConnection: false, sealed: true },
    "reset-session": { class: "once", deadlineMs: listTimeoutMs, needsConnection: false },
    "delete-session": { class: "once", deadlineMs: listTimeoutMs, needsConnection: false },
    // The random id derives from the command id: a repeat is the same message.
    "send-message": { class: "send", deadlineMs: sendTimeoutMs, needsConnection: true, sealed: true },
    "send-typing": { class: "read", deadlineMs: 30_000, needsConnection: true, sealed: true },
    // A story has no duplicate check on the platform (reliability sheet F6).
    "post-status": { class: "once", deadlineMs: sendTimeoutMs, needsConnection: true, sealed: true },
    "list-groups": list,
    "get-group": list,
    "list-group-members": list,
    "list-channels": list,
    "get-channel": list,
    "list-channel-messages": list,
    "list-dead-letters": { class: "read", deadlineMs: 15_000, needsConnection: false },
    // What was replayed is no dead letter any more: a repeat finds nothing.
    "replay-dead-letters": { class: "send", deadlineMs: 15_000, needsConnection: false },
    "describe-media": { class: "read", deadlineMs: mediaWaitMs, needsConnection: true },
    "read-chunk": { class: "read", deadlineMs: mediaWaitMs, needsConnection: true },
  },
};
