import { randomBytes } from "node:crypto";
import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import type { StoredKey } from "./protocol/auth-key.js";
import type { World } from "./world/world.js";

/** Stores keys as if clients had negotiated them. */
export type AdoptKeys = (keys: readonly StoredKey[]) => void;

/**
 * Creates accounts with one logged-in, unused key each, for load tests: `{prefix, from, count, contacts?}`. `pictured` in the result: the
 * account has a picture.
 */
export function madeLogins(world: World, adopt: AdoptKeys, fields: Fields): Doc[] {
  const prefix = fields.text("prefix");
  const from = fields.optionalCount("from") ?? 0;
  const count = fields.optionalCount("count") ?? 1;
  const contacts = fields.optionalCount("contacts") ?? 0;
  const keys: StoredKey[] = [];
  const docs = Array.from({ length: count }, (_, index) => {
    const made = world.accounts.create({ account: `${prefix}-${from + index}`, custom: true, stock: { contacts, groups: 0, channels: 0 } });
    if (made === undefined) throw new ControlError(409, "account or phone already exists");
    const { account, person, userId, dcId } = made;
    const authKey = randomBytes(256).toString("base64");
    keys.push({
      dcId,
      authKey,
      salt: randomBytes(8).readBigInt64LE(0).toString(),
      initialised: false,
      layer: 0,
      account,
      home: true,
      duplicated: false,
    });
    return {
      account,
      phone: person.phone ?? "",
      generatedId: String(userId),
      pictured: world.profilePhotos.idOf(person) !== undefined,
      dcId,
      authKey,
    };
  });
  adopt(keys);
  world.changed("world");
  world.changed("keys");
  return docs;
}
