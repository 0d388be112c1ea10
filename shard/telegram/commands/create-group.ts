import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { CommandCall } from "../../session/command.js";
import { internal, sendTimeout, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import type { NewGroup, NewGroupInput } from "../../../shared/contract/telegram/group-change.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import { chatsIn } from "../chats/chats-in.js";
import { done, isFound, missingIn, namedPeople } from "../chats/people.js";
import type { TelegramConnector } from "../connector.js";
import { toGroup } from "../convert.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import { toInputUser } from "../peers.js";

/**
 * POST /group: creates a basic group with these people. Never repeats a request without a response, because the group may exist.
 * Refused people are listed, and the group exists without them.
 */
export async function createGroup(connector: TelegramConnector, { name, members }: NewGroupInput, call: CommandCall): Promise<NewGroup> {
  const { signal } = call;
  const deadlineAt = performance.now() + sendTimeoutMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  const people = await namedPeople(connector, connector.connected(), members, { signal, leftMs });
  const users = people.filter(isFound).map(({ peer }) => toInputUser(peer));
  const response = await sentOnce(connector, new Api.messages.CreateChat({ title: name, users }), signal, leftMs());
  const chat = chatsIn(response.updates).find((one) => one instanceof Api.Chat);
  if (chat === undefined) throw internal(new Error("a new group without its chat"));
  const missing = missingIn(response);
  const refused = people.flatMap((person) => {
    const verdict = isFound(person) ? (missing.get(person.peer.id) ?? done) : person.verdict;
    return verdict.reason === "" ? [] : [{ ...person.field, ...verdict }];
  });
  return { ...toGroup(chat, { description: "", joinedAt: chat.date, picture: "" }), refused };
}

async function sentOnce(
  connector: TelegramConnector,
  request: Api.messages.CreateChat,
  signal: Ending,
  deadlineMs: number,
): Promise<Api.messages.InvitedUsers> {
  const client = connector.connected();
  // Nothing was sent yet, so the caller may retry.
  if (!client.alive) throw sessionNotConnected();
  try {
    return await client.invoke(request, { signal, deadlineMs, repeatable: false });
  } catch (error) {
    if (error instanceof CallTimeout) throw sendTimeout();
    // "Not connected" would invite the caller to create the group again.
    throw error instanceof ConnectionLost ? internal(error) : error;
  }
}
