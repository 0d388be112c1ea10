import { createHash, createHmac } from "node:crypto";
import type { User } from "../whatsapp-backend.js";

/** Of an account: its devices make the tokens for strangers with it. */
export function saltOf(phone: string): Buffer {
  return createHash("sha256").update(`nct-salt ${phone}`).digest();
}

/** What the account sends to somebody who has given it no token (whatsmeow's cstoken.go). */
export function strangerToken(phone: string, { lid }: Pick<User, "lid">): Buffer {
  return createHmac("sha256", saltOf(phone)).update(`${lid}@lid`).digest();
}
