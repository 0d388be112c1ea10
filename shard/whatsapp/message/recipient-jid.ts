import { internationalPhone } from "../../../shared/contract/phone.js";
import { isGroupId, isNewsletterId, isUserId } from "../../../shared/contract/whatsapp/address.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import { phoneJid } from "../jid.js";

/** Returns the chat that a recipient names; `undefined` for an invalid one. Only the platform knows whether the recipient exists. */
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
    case "user":
      return isUserId(to.id) ? to.id : undefined;
    default:
      return to satisfies never;
  }
}
