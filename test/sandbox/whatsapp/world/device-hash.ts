import { createHash } from "node:crypto";
import type { User } from "../whatsapp-backend.js";

/** Returns the hash by which a client checks its list of an account's devices, as whatsmeow's `participantListHashV2`. 0 is the phone. */
export function deviceHash({ phone }: Pick<User, "phone">, numbers: readonly number[]): string {
  return participantHash(numbers.map((number) => `${phone}.0:${number}@s.whatsapp.net`));
}

/** Returns the hash of several people's devices, each as `<user>.0:<number>@<server>`. */
export function participantHash(devices: readonly string[]): string {
  const names = [...devices].sort();
  return `2:${createHash("sha256").update(names.join("")).digest().subarray(0, 6).toString("base64").replace(/=+$/, "")}`;
}
