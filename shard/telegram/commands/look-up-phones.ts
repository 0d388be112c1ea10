import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { ApiError } from "../../../shared/contract/api-error.js";
import { phoneLookUp, type FoundPhone, type PhoneQuery } from "../../../shared/contract/phone-look-up.js";
import { phoneNotFound, tooManyRequests } from "../../../shared/contract/telegram/errors.js";
import type { CommandCall } from "../../session/command.js";
import type { Client } from "../client.js";
import type { TelegramConnector } from "../connector.js";
import { toMember } from "../convert.js";
import { floodSeconds } from "../flood-wait.js";
import type { Peer } from "../peers.js";

/**
 * GET /phone: resolves one number after another, which adds no contact to the account. A flood wait of the platform gives 429: the caller
 * can repeat the request, and the numbers found so far are remembered.
 */
export async function lookUpPhones(
  connector: TelegramConnector,
  { phones }: PhoneQuery,
  { signal }: CommandCall,
): Promise<{ docs: FoundPhone[] }> {
  const client = connector.connected();
  const deadlineAt = performance.now() + phoneLookUp.deadlineMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  await connector.context.pace.lookUps.count(phones.length);
  try {
    const found: (Peer | undefined)[] = [];
    for (const phone of phones) found.push(await connector.phones.find(client, phone, { signal, leftMs }).catch(ifNotFound));
    const usernames = await readUsernames(client, found, signal);
    return {
      docs: phones.map((phone, index) => {
        const user = found[index]?.id ?? "";
        return { phone, exists: user !== "", user, lid: "", username: usernames.get(user) ?? "" };
      }),
    };
  } catch (error) {
    const seconds = floodSeconds(error);
    throw seconds === undefined ? error : tooManyRequests(seconds * 1_000);
  }
}

function ifNotFound(error: unknown): undefined {
  if (error instanceof ApiError && error.message === phoneNotFound().message) return undefined;
  throw error;
}

/** Returns usernames by user id. */
async function readUsernames(client: Client, found: readonly (Peer | undefined)[], signal: Ending): Promise<Map<string, string>> {
  const peers = found.flatMap((peer) => peer ?? []);
  if (peers.length === 0) return new Map();
  const id = peers.map((peer) => new Api.InputUser({ userId: bigInt(peer.id), accessHash: bigInt(peer.accessHash) }));
  const users = await client.invoke(new Api.users.GetUsers({ id }), { signal });
  return new Map(users.flatMap((user) => (user instanceof Api.User ? [[user.id.toString(), toMember(user).username] as const] : [])));
}
