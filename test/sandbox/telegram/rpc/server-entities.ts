import { Api } from "telegram";
import { foundEntities } from "../tl/found-entities.js";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { World } from "../world/world.js";

/** Returns entities as receivers get them: mentions by user id, plus those that the platform detects in the text. */
export function serverEntities(
  world: World,
  account: Account,
  text: string,
  entities: readonly Api.TypeMessageEntity[] | null | undefined,
): Api.TypeMessageEntity[] {
  const given = (entities ?? []).flatMap((entity) =>
    entity instanceof Api.InputMessageEntityMentionName ? (mentionOf(world, account, entity) ?? []) : entity,
  );
  return foundEntities(text, given);
}

/** Drops mentions of unknown people, as the platform does. Telethon writes an `inputPeerUser` in place of the `inputUser`. */
function mentionOf(
  world: World,
  account: Account,
  { offset, length, userId: input }: Api.InputMessageEntityMentionName,
): Api.MessageEntityMentionName | undefined {
  const user: unknown = input;
  if (user instanceof Api.InputUserSelf || user instanceof Api.InputPeerSelf)
    return new Api.MessageEntityMentionName({ offset, length, userId: long(account.userId) });
  if (!(user instanceof Api.InputUser || user instanceof Api.InputPeerUser)) return undefined;
  return world.accounts.person(user.userId.toJSNumber()) && new Api.MessageEntityMentionName({ offset, length, userId: user.userId });
}
