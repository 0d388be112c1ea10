import { internationalPhone } from "../../../shared/contract/phone.js";
import { isGroupId, isNewsletterId } from "../../../shared/contract/whatsapp/address.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import { phoneJid } from "../jid.js";

/** The chat that a recipient names; `undefined` when it names none. Whether anybody is there, the platform says. */
export function recipientJid(to: Recipient): string | undefined {
  switch (to.kind) {
    case "group":
      return isGroupId(to.id) ? to.id : undefined;
    case "newsletter":
      return isNewsletterId(to.id) ? to.id : undefined;
    case "phone": {
      const digits = internationalPhone(to.phone);
      return digits === undefined ? undefined : phoneJid(digits);
    }
    default:
      return to satisfies never;
  }
}
