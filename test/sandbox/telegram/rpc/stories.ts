import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { describeEntities } from "../tl/entities.js";
import { tlMessageMedia } from "../tl/media.js";
import { tlPeer } from "../tl/message.js";
import { tlUser } from "../tl/user.js";
import type { Account } from "../world/account.js";
import { unixNow } from "../world/ids.js";
import type { World } from "../world/world.js";
import { checkText } from "./check-text.js";
import { acceptMedia } from "./input-media.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { once } from "./once.js";
import { resolvePeer } from "./peers.js";

const defaultPeriod = 86_400;

export function storyMethods({ world }: Platform): Methods {
  return {
    "stories.CanSendStory": {
      handle: (request: Api.stories.CanSendStory, context) => {
        const account = callerOf(world, context);
        checkSelf(world, account, request.peer);
        return true;
      },
    },
    "stories.SendStory": {
      handle: async (request: Api.stories.SendStory, context) => {
        const account = callerOf(world, context);
        checkSelf(world, account, request.peer);
        return await once(world, account, String(request.randomId), () => sendStory(world, account, request));
      },
    },
  };
}

async function sendStory(world: World, account: Account, request: Api.stories.SendStory): Promise<Api.Updates> {
  const caption = request.caption ?? "";
  const period = request.period ?? defaultPeriod;
  const privacy = privacyName(request.privacyRules);
  checkText(caption, request.entities, "story");
  if (![21_600, 43_200, 86_400, 172_800].includes(period)) throw new RpcFault(400, "STORY_PERIOD_INVALID");
  if (period !== defaultPeriod) throw new RpcFault(400, "PREMIUM_ACCOUNT_REQUIRED");
  account.storyEnds = account.storyEnds.filter((end) => end > unixNow());
  if (account.storyEnds.length >= account.maxStories) throw new RpcFault(400, "STORIES_TOO_MUCH");
  const media = await acceptMedia(world, account, request.media);
  if (media.file === undefined || (media.kind !== "image" && media.kind !== "video")) throw new RpcFault(400, "MEDIA_TYPE_INVALID");
  const id = account.nextStoryId++;
  account.storyEnds.push(unixNow() + period);
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
  const story = new Api.StoryItem({
    id,
    out: true,
    public: privacy === "everyone" || undefined,
    contacts: privacy === "contacts" || undefined,
    closeFriends: privacy === "close_friends" || undefined,
    date: unixNow(),
    expireDate: unixNow() + period,
    caption: caption === "" ? undefined : caption,
    media: tlMessageMedia(world, account, media.attachment),
  });
  // Fault `gap` of this method: the story stands, and the answer does not say under which id.
  if (world.faults.takeNamed("gap", account.account, "stories.SendStory") !== undefined) return new Api.Updates({ updates: [], users: [], chats: [], date: unixNow(), seq: 0 });
  const updates = [new Api.UpdateStoryID({ id, randomId: request.randomId }), new Api.UpdateStory({ peer: tlPeer(account.userId), story })];
  return new Api.Updates({ updates, users: [tlUser(world, account, account.person)], chats: [], date: unixNow(), seq: 0 });
}

function checkSelf(world: World, account: Account, peer: unknown): void {
  if (resolvePeer(world, account, peer) !== account.userId) throw new RpcFault(400, "PEER_ID_INVALID");
}

/** The audience in the gateway's words; rules that it never sends are named as they came. */
function privacyName(rules: readonly Api.TypeInputPrivacyRule[]): string {
  const [rule] = rules;
  if (rule === undefined) throw new RpcFault(400, "PRIVACY_VALUE_INVALID");
  if (rules.length > 1) return rules.map(({ className }) => className).join("+");
  if (rule instanceof Api.InputPrivacyValueAllowAll) return "everyone";
  if (rule instanceof Api.InputPrivacyValueAllowContacts) return "contacts";
  if (rule instanceof Api.InputPrivacyValueAllowCloseFriends) return "close_friends";
  return rule.className;
}
