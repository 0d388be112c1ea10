import { createHash } from "node:crypto";
import { jidDecode } from "@whiskeysockets/baileys";

/** Returns the platform's hash of a list of devices (JIDs), in the form of an ack's `phash`. */
export function participantHash(devices: readonly string[]): string {
  const names = devices.map(longForm).sort();
  return `2:${createHash("sha256").update(names.join("")).digest().subarray(0, 6).toString("base64").replace(/=+$/, "")}`;
}

/** Returns a device's JID with its agent, which is always 0 here, for anonymous ids as well. */
function longForm(jid: string): string {
  const { user = "", device = 0, server = "" } = jidDecode(jid) ?? {};
  return `${user}.0:${device}@${server}`;
}
