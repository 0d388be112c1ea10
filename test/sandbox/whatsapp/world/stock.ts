import type { Account } from "./account.js";
import { Channel } from "./channel.js";
import { Group } from "./group.js";
import { chatsPerAccount, ownChannelId, ownGroupId } from "./own-chat-id.js";
import { memberPerson } from "./person.js";
import type { World } from "./world.js";

const day = 86_400;

/** Creates an account's own chats. They depend on the account's index only, so a restart recreates them with the same ids. */
export function stockAccount(world: World, account: Account): void {
  const { groups, channels, members } = account.options.stock;
  const then = world.startedAt - 200 * day;
  for (let n = 0; n < Math.min(groups, chatsPerAccount); n++) {
    world.addGroup(
      new Group({
        id: ownGroupId(account, n),
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
    const id = ownChannelId(account, n);
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
