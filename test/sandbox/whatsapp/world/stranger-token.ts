import { createHash, createHmac } from "node:crypto";
import type { User } from "../whatsapp-backend.js";

/** Returns an account's salt. Its devices derive the stranger tokens from it. */
export function saltOf(phone: string): Buffer {
  return createHash("sha256").update(`nct-salt ${phone}`).digest();
}

/** Returns the token that the account sends to a person who has no token from it (whatsmeow's cstoken.go). */
export function strangerToken(phone: string, { lid }: Pick<User, "lid">): Buffer {
  return createHmac("sha256", saltOf(phone)).update(`${lid}@lid`).digest();
}
