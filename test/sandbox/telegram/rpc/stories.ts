import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { describeEntities, storeEntities } from "../tl/entities.js";
import { storyPacket, tlStory } from "../tl/story.js";
import type { Account } from "../world/account.js";
import { unixNow } from "../world/ids.js";
import type { Pushes } from "../world/pushes.js";
import type { Audience, StoredStory } from "../world/stored-story.js";
import { activeStories, watchers } from "../world/story.js";
import type { World } from "../world/world.js";
import { checkText } from "./check-text.js";
import { acceptMedia } from "./input-media.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { once } from "./once.js";
import { resolvePeer, resolveUser } from "./peers.js";
import { present } from "../tl/present.js";

const defaultPeriod = 86_400;
/** From this layer on stories.canSendStory returns a number, `stories.canSendStoryCount`. */
const countsSince = 203;

export function storyMethods({ world, delivery }: Platform): Methods {
  return {
    "stories.CanSendStory": {
      handle: (request: Api.stories.CanSendStory, context) => {
        const account = callerOf(world, context);
        checkSelf(world, account, request.peer);
        return context.key.layer < countsSince ? true : canSendCount(Math.max(0, account.maxStories - activeStories(account).length));
      },
    },
    "stories.SendStory": {
      handle: async (request: Api.stories.SendStory, context) => {
        const account = callerOf(world, context);
        checkSelf(world, account, request.peer);
        return await once(world, account, String(request.randomId), () => sendStory(world, delivery.pushes, account, request, context.key));
      },
    },
  };
}

async function sendStory(
  world: World,
  pushes: Pushes,
  account: Account,
  request: Api.stories.SendStory,
  key: AuthKey,
): Promise<Api.Updates> {
  const caption = request.caption ?? "";
  const period = request.period ?? defaultPeriod;
  const privacy = privacyName(request.privacyRules);
  const audience = audienceOf(world, account, request.privacyRules);
  checkText(caption, request.entities, "story");
  if (![21_600, 43_200, 86_400, 172_800].includes(period)) throw new RpcFault(400, "STORY_PERIOD_INVALID");
  if (period !== defaultPeriod) throw new RpcFault(400, "PREMIUM_ACCOUNT_REQUIRED");
  if (activeStories(account).length >= account.maxStories) throw new RpcFault(400, "STORIES_TOO_MUCH");
  const media = await acceptMedia(world, account, request.media);
  if (media.file === undefined || !["image", "video", "animation"].includes(media.kind)) throw new RpcFault(400, "MEDIA_TYPE_INVALID");
  const id = account.nextStoryId++;
  const entities = storeEntities(request.entities);
  const stored: StoredStory = {
    id,
    date: unixNow(),
    expires: unixNow() + period,
    caption,
    ...(entities && { entities }),
    attachment: media.attachment,
    audience,
  };
  account.stories.push(stored);
  world.changed("world");
  world.received.add({
    type: "story",
    account: account.account,
    id: String(id),
    chat: String(account.userId),
    kind: media.kind,
    privacy,
    caption,
    entities: describeEntities(request.entities),
    period,
    file: media.file,
    randomId: String(request.randomId),
  });
  for (const other of watchers(world, account, stored))
    pushes.pushFleeting(other, () => storyPacket(world, other, account, tlStory(world, other, account, stored)), key);
  // Fault `gap` of this method: the story is posted, but the response omits its id.
  if (world.faults.takeNamed("gap", account.account, "stories.SendStory") !== undefined)
    return new Api.Updates({ updates: [], users: [], chats: [], date: unixNow(), seq: 0 });
  return storyPacket(world, account, account, tlStory(world, account, account, stored), [
    new Api.UpdateStoryID(present({ id, randomId: request.randomId })),
  ]);
}

function canSendCount(remaining: number): Buffer {
  const bytes = Buffer.from("4ec087c300000000", "hex");
  bytes.writeInt32LE(remaining, 4);
  return bytes;
}

function checkSelf(world: World, account: Account, peer: unknown): void {
  if (resolvePeer(world, account, peer) !== account.userId) throw new RpcFault(400, "PEER_ID_INVALID");
}

function audienceOf(world: World, account: Account, rules: readonly Api.TypeInputPrivacyRule[]): Audience {
  const ids = (users: readonly Api.TypeInputUser[]): number[] => users.map((user) => resolveUser(world, account, user).id);
  const base = rules.some((rule) => rule instanceof Api.InputPrivacyValueAllowAll)
    ? "everyone"
    : rules.some((rule) => rule instanceof Api.InputPrivacyValueAllowContacts)
      ? "contacts"
      : rules.some((rule) => rule instanceof Api.InputPrivacyValueAllowCloseFriends)
        ? "close_friends"
        : "nobody";
  return {
    base,
    allow: rules.flatMap((rule) => (rule instanceof Api.InputPrivacyValueAllowUsers ? ids(rule.users) : [])),
    deny: rules.flatMap((rule) => (rule instanceof Api.InputPrivacyValueDisallowUsers ? ids(rule.users) : [])),
  };
}

/** Returns the audience in the gateway's terms. Rules that the gateway never sends keep their own name. */
function privacyName(rules: readonly Api.TypeInputPrivacyRule[]): string {
  const [rule] = rules;
  if (rule === undefined) throw new RpcFault(400, "PRIVACY_VALUE_INVALID");
  if (rules.length > 1) return rules.map(({ className }) => className).join("+");
  if (rule instanceof Api.InputPrivacyValueAllowAll) return "everyone";
  if (rule instanceof Api.InputPrivacyValueAllowContacts) return "contacts";
  if (rule instanceof Api.InputPrivacyValueAllowCloseFriends) return "close_friends";
  return rule.className;
}
