import type { Platform } from "../../shared/contract/platform.js";
import { meetAll } from "../load/send-round.js";
import type { StoredLogin } from "../logins/stored-logins.js";
import type { Sender } from "./operations.js";

const metContacts = 4;

/**
 * Each session writes to known recipients: on Telegram to the accounts of other sessions, on WhatsApp to any number that the sandbox
 * accepts.
 */
export async function sendersOf(platform: Platform, logins: readonly StoredLogin[]): Promise<Sender[]> {
  const phone = (index: number, n: number): string =>
    platform === "telegram"
      ? (logins[(index + n + 1) % logins.length]?.phone ?? "")
      : `4917${String(index).padStart(5, "0")}${String(n).padStart(4, "0")}`;
  const senders = logins.map((login, index) => ({ login, phones: Array.from({ length: metContacts }, (_, n) => phone(index, n)) }));
  await meetAll(
    logins,
    senders.map(({ phones }) => phones),
  );
  return senders;
}
