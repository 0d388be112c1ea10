import { tidyPhone } from "../../../shared/contract/phone.js";
import type { ContactObject } from "../../../shared/contract/message-content.js";

/**
 * Returns a vCard 3.0. Without `N` a recipient may see a contact without a name, and `waid` lets the recipient open a chat with the
 * number.
 */
export function toVcard({ name, phone }: ContactObject): string {
  const digits = tidyPhone(phone) ?? phone.replace(/\D/g, "");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:;${escape(name)};;;`,
    `FN:${escape(name)}`,
    `TEL;type=CELL;type=VOICE;waid=${digits}:+${digits}`,
    "END:VCARD",
  ].join("\n");
}

/** RFC 2426, section 5. */
function escape(text: string): string {
  return text.replace(/[\\,;]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}
