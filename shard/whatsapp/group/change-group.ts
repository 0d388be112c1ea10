import type { CommandCall } from "../../session/command.js";
import { groupNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { iqErrorCode } from "../errors.js";
import { ConnectionLost, QueryTimeout } from "../network/connection-error.js";

/**
 * Makes a change that leaves the group as it is when it is made twice. Repeats it after a lost connection or response: `isRepeat` is then
 * true. The next send reads the group again. Throws `group not found`.
 */
export async function changeGroup<T>(
  connector: WhatsAppConnector,
  jid: string,
  { signal, isRepeat = false }: Pick<CommandCall, "signal" | "isRepeat">,
  change: (client: Client, isRepeat: boolean) => Promise<T>,
): Promise<T> {
  const { groups } = connector.account;
  let client = connector.connected();
  for (let attempt = 1; ; attempt++) {
    try {
      return await change(client, isRepeat || attempt > 1);
    } catch (error) {
      if (iqErrorCode(error) === unknownGroup) throw groupNotFound(error);
      if (attempt === triesMax || !(error instanceof ConnectionLost || error instanceof QueryTimeout)) throw error;
      client = (await connector.reconnected(connector.services.timing.resendMs, signal)) ?? raise(error);
    } finally {
      groups.delete(jid);
    }
    signal.throwIfAborted();
  }
}

const triesMax = 3;
export const unknownGroup = 404;

function raise(error: unknown): never {
  throw error;
}
