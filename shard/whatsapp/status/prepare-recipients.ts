import type { DeviceLists } from "../addressing/device-lists.js";
import type { Client } from "../client.js";

/**
 * Reads the recipients' devices and keys a hundred at a time, and resolves with the devices (JIDs) in the library's order. The library
 * would read all at once while it holds the account's send lock.
 */
export async function prepareRecipients(
  client: Client,
  audience: readonly string[],
  lists: DeviceLists,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < audience.length; start += atOnce) {
    signal.throwIfAborted();
    const jids = await lists.of(client, audience.slice(start, start + atOnce));
    await client.runQuery(() => client.prepareSessions(jids));
    await client.runQuery(() => client.sock.assertSessions(jids));
    found.push(...jids);
  }
  return found;
}

const atOnce = 100;
