import type { Client } from "../client.js";

/**
 * Fetches the devices and keys of a status's recipients a hundred at a time, before the library needs them. It would ask for all of them at once, inside
 * the lock that all sends of the account share. What it finds ready it only has to encrypt.
 */
export async function prepareRecipients(client: Client, audience: readonly string[], signal: AbortSignal): Promise<void> {
  for (let start = 0; start < audience.length; start += atOnce) {
    signal.throwIfAborted();
    const devices = await client.ask(() => client.sock.getUSyncDevices(audience.slice(start, start + atOnce), true, false));
    await client.ask(() => client.sock.assertSessions(devices.map(({ jid }) => jid)));
  }
}

const atOnce = 100;
