import { BufferJSON } from "@whiskeysockets/baileys";
import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import { pictureOf } from "./iq/profile-picture.js";
import type { WhatsAppWire } from "./whatsapp-backend.js";
import { jidOf } from "./world/jid.js";
import { ownGroupId } from "./world/own-chat-id.js";
import type { World } from "./world/world.js";

/**
 * Creates accounts with one linked device each that never connected, for load tests: `{prefix, from, count, contacts?, groups?,
 * members?}`. `pictured` in the result: the platform shows the account's picture.
 */
export function madeLogins(world: World, wire: WhatsAppWire, fields: Fields): Doc[] {
  const prefix = fields.text("prefix");
  const from = fields.optionalCount("from") ?? 0;
  const count = fields.optionalCount("count") ?? 1;
  const contacts = fields.optionalCount("contacts") ?? 0;
  const groups = fields.optionalCount("groups") ?? 0;
  const members = fields.optionalCount("members") ?? 0;
  const docs = Array.from({ length: count }, (_, index) => {
    const stock = { contacts, groups, members, channels: 0 };
    const made = world.accounts.create({ account: `${prefix}-${from + index}`, custom: true, stock });
    if (made === undefined) throw new ControlError(409, "account or phone already exists");
    // In the client's own storage format: byte strings in the library's JSON form.
    return {
      account: made.account,
      phone: made.phone,
      generatedId: jidOf(made),
      groups: Array.from({ length: groups }, (_, n) => ownGroupId(made, n)),
      pictured: pictureOf(world, jidOf(made)) === "shown",
      credentials: JSON.stringify(wire.fabricate(made.phone), BufferJSON.replacer),
    };
  });
  world.changed("world");
  return docs;
}
