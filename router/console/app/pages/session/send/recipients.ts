import type { Platform } from "../../../api/rows.js";

export interface RecipientKind {
  /** Field name in the body. */
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  /** A sample recipient on the sandbox. */
  readonly sample?: string;
  /** Channels show no typing indicator. */
  readonly hearsTyping: boolean;
}

/** Returns whether an error message of the API is about a recipient. Pure. */
export function isAboutRecipient(sentence: string): boolean {
  return /^invalid (phone|receiver|chat)\b|^(chat|channel|group|contact) not found$|\bdoes not know this chat or person\b/.test(sentence);
}

/** Kinds of recipients on each platform. */
export const recipients: Readonly<Record<Platform, readonly RecipientKind[]>> = {
  telegram: [
    { value: "username", label: "Username", placeholder: "bob_sandbox", sample: "bob_sandbox", hearsTyping: true },
    { value: "phone", label: "Phone number", placeholder: "+1 555 010 0002", hearsTyping: true },
    { value: "user", label: "User ID", placeholder: "5100000001", hearsTyping: true },
    { value: "group", label: "Group", placeholder: "-1001900000001 or a username", hearsTyping: true },
    { value: "channel", label: "Channel", placeholder: "-1001900000001 or a username", hearsTyping: false },
  ],
  whatsapp: [
    { value: "phone", label: "Phone number", placeholder: "+1 555 020 0002", sample: "+1 555 020 0002", hearsTyping: true },
    { value: "user", label: "User ID", placeholder: "100000000000002@lid", hearsTyping: true },
    { value: "group", label: "Group", placeholder: "120363000000000001@g.us", hearsTyping: true },
    { value: "newsletter", label: "Channel", placeholder: "120363000000000001@newsletter", hearsTyping: false },
  ],
};
