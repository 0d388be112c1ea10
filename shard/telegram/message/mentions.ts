import { Api } from "telegram";
import bigInt from "big-integer";
import type { MessageText } from "../formatting/format-message.js";
import type { Peer } from "../peers.js";

/**
 * Makes each `@<id>` in a text a mention of that person, for the ids in `mentions`. People that the account has not met stay plain text.
 * Usernames need no entity: the platform finds them itself.
 */
export async function withMentions(
  text: MessageText,
  mentions: readonly string[],
  find: (userId: string) => Promise<Peer | undefined>,
): Promise<MessageText> {
  if (mentions.length === 0) return text;
  const { message, entities = [] } = text;
  const wanted = new Set(mentions);
  const places = [...message.matchAll(/@(\d{1,16})(?!\d)/g)].filter(([, id = ""]) => wanted.has(id)).slice(0, entitiesMax);
  const found = await Promise.all(
    places.map(async ({ 0: written, 1: id = "", index }) => {
      const peer = await find(id);
      return peer && mentionOf(peer, index, written.length);
    }),
  );
  const added = found.filter((entity) => entity !== undefined);
  return added.length === 0 ? text : { message, entities: [...entities, ...added].slice(0, entitiesMax) };
}

/** The largest number of entities in one message. */
const entitiesMax = 100;

function mentionOf({ id, accessHash }: Peer, offset: number, length: number): Api.InputMessageEntityMentionName {
  const userId = new Api.InputUser({ userId: bigInt(id), accessHash: bigInt(accessHash) });
  return new Api.InputMessageEntityMentionName({ offset, length, userId });
}
