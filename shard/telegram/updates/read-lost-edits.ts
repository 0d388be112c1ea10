import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import type { UpdateLog } from "../../session/session-context.js";
import type { Client } from "../client.js";
import type { UpdatePosition } from "./update-position.js";

/**
 * Returns edited private messages that were seen before `from`, oldest first, in their current state. Checks the newest `messagesMax` that
 * the update log has among the last `idsMax` ids. Rejects when a call does.
 */
export async function readLostEdits(
  client: Client,
  from: UpdatePosition,
  log: Pick<UpdateLog, "chatsOf">,
  signal: Ending,
): Promise<{ readonly messages: readonly Api.Message[]; readonly users: readonly Api.TypeUser[] }> {
  const messages: Api.Message[] = [];
  const users: Api.TypeUser[] = [];
  const ids = await rememberedIds(from, log);
  for (let start = 0; start < ids.length; start += pageSize) {
    const id = ids.slice(start, start + pageSize).map((one) => new Api.InputMessageID({ id: one }));
    const response = await client.invoke(new Api.messages.GetMessages({ id }), { signal, deadlineMs: listTimeoutMs });
    if (response instanceof Api.messages.MessagesNotModified) continue;
    users.push(...response.users);
    messages.push(...response.messages.filter((message) => message instanceof Api.Message));
  }
  return { messages: messages.sort((a, b) => a.id - b.id), users };
}

/** Newest first. Private chats and basic groups share one id sequence, but the log only has messages of private chats. */
async function rememberedIds({ newest }: UpdatePosition, log: Pick<UpdateLog, "chatsOf">): Promise<readonly number[]> {
  const ids = Array.from({ length: Math.min(idsMax, newest) }, (_, at) => newest - at);
  const chats = ids.length === 0 ? [] : await log.chatsOf(ids.map(String));
  return ids.filter((_, at) => chats[at] !== undefined).slice(0, messagesMax);
}

/** The platform allows edits for 48 hours, which this covers for most accounts. Each hundred messages cost one call. */
const messagesMax = 1_000;
const idsMax = 5_000;
const pageSize = 100;
