import type { Client } from "../client.js";
import { paceEncryption } from "./pace-encryption.js";

/**
 * Gets the devices and keys of a status's recipients a hundred at a time. The library would ask for all of them at once, inside the lock that all
 * sends of the account share; what it finds here it only has to encrypt, which it does at our pace.
 */
export async function meetRecipients(client: Client, audience: readonly string[], signal: AbortSignal): Promise<void> {
  paceEncryption(client);
  for (let start = 0; start < audience.length; start += atOnce) {
    signal.throwIfAborted();
    const devices = await client.ask(() => client.sock.getUSyncDevices(audience.slice(start, start + atOnce), true, false));
    await client.ask(() => client.sock.assertSessions(devices.map(({ jid }) => jid)));
  }
}

const atOnce = 100;
