import { createHash } from "node:crypto";
import type { User } from "../whatsapp-backend.js";

/** By which a client knows whether its list of an account's devices is complete, as whatsmeow's `participantListHashV2` computes it. 0 is the phone. */
export function deviceHash({ phone }: Pick<User, "phone">, numbers: readonly number[]): string {
  return participantHash(numbers.map((number) => `${phone}.0:${number}@s.whatsapp.net`));
}

/** The same of devices of several people: `<user>.0:<number>@<server>` each. */
export function participantHash(devices: readonly string[]): string {
  const names = [...devices].sort();
  return `2:${createHash("sha256").update(names.join("")).digest().subarray(0, 6).toString("base64").replace(/=+$/, "")}`;
}
