import type { Account } from "./account.js";
import { Channel } from "./channel.js";
import { Group } from "./group.js";
import { memberPerson } from "./person.js";
import type { World } from "./world.js";

/** Ids that each account has for groups, and as many for channels. */
const chatsPerAccount = 10_000;
const groupPrefix = "12036310";
const channelPrefix = "12036391";
const day = 86_400;

/** Makes an account's own chats. All of it follows from the account's index, so that a restart finds the same chats with the same ids. */
export function stockAccount(world: World, account: Account): void {
  const { groups, channels, members } = account.options.stock;
  const then = world.startedAt - 200 * day;
  for (let n = 0; n < Math.min(groups, chatsPerAccount); n++) {
    world.addGroup(
      new Group({
        id: `${idOf(groupPrefix, account, n)}@g.us`,
        subject: `Group ${n + 1} of ${account.account}`,
        description: n % 3 === 0 ? `About group ${n + 1}` : "",
        created: then + n * day,
        owner: n % 2 === 0 ? account : memberPerson(account.index + n),
        addressing: n % 4 === 3 ? "pn" : "lid",
        hidden: n % 8 === 6,
        announce: false,
        picture: n % 3 === 2 ? "none" : "shown",
        people: [account],
        extraFrom: 10_000 + account.index * 7 + n * 13,
        extraMembers: members,
      }),
    );
  }
  for (let n = 0; n < Math.min(channels, chatsPerAccount); n++) {
    const id = `${idOf(channelPrefix, account, n)}@newsletter`;
    const owner = n % 3 === 0 ? account : memberPerson(account.index + n);
    const admins = n % 3 === 1 ? [account] : [];
    world.addChannel(
      new Channel(
        {
          id,
          name: `Channel ${n + 1} 📡`,
          description: `About channel ${n + 1}`,
          created: then + n * day,
          owner,
          admins,
          followers: [account],
          subscribers: 10 + n,
          picture: n % 4 === 0 ? "none" : "url",
          state: "ACTIVE",
          posts: 5,
        },
        world.startedAt,
      ),
    );
  }
}

/** Index of the account whose own chat this is. */
export function indexOfChat(id: string): number | undefined {
  const match = /^12036(?:310|391)(\d{6})\d{4}@(?:g\.us|newsletter)$/.exec(id);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function idOf(prefix: string, { index }: Account, n: number): string {
  return `${prefix}${String(index).padStart(6, "0")}${String(n).padStart(4, "0")}`;
}
