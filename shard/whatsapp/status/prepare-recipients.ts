import type { DeviceLists } from "../addressing/device-lists.js";
import type { Client } from "../client.js";
import { readSessions } from "../keys/read-sessions.js";

/**
 * Fetches the devices and keys of a status's recipients a hundred at a time, before the library needs them. It would ask for all of them at once, inside
 * the lock that all sends of the account share. What it finds ready it only has to encrypt. Resolves with the devices (JIDs), in the library's order.
 */
export async function prepareRecipients(
  client: Client,
  audience: readonly string[],
  lists: DeviceLists,
  signal: AbortSignal,
): Promise<string[]> {
  const { signalRepository, authState } = client.sock;
  const found: string[] = [];
  for (let start = 0; start < audience.length; start += atOnce) {
    signal.throwIfAborted();
    const jids = await lists.of(client, audience.slice(start, start + atOnce));
    await client.ask(() => readSessions(signalRepository, authState.keys, jids));
    await client.ask(() => client.sock.assertSessions(jids));
    found.push(...jids);
  }
  return found;
}

const atOnce = 100;
