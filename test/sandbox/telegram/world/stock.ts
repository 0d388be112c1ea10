import type { Account } from "./account.js";
import { basicGroup, Channel } from "./chat.js";
import { markChannel, markChat, type MarkedId } from "./ids.js";
import { stockMedia } from "./media-library.js";
import { contactPerson, contactsPerAccount, memberPerson } from "./person.js";
import type { World } from "./world.js";

const groupBase = 10_000_000;
const channelBase = 2_000_000_000;
/** Number of ids per account for its own groups and channels. */
const chatsPerAccount = 1_000;
const day = 86_400;

/** Creates an account's own chats. They depend on the account's index only, so a restart recreates them with the same ids. */
export function stockAccount(world: World, account: Account): void {
  const contacts = Math.min(account.stock.contacts, contactsPerAccount);
  const then = world.startedAt - 200 * day;
  const colleagues = account.custom ? [] : [...world.accounts.all()].filter(({ custom, index }) => !custom && index !== account.index);
  for (const { userId } of colleagues) account.contacts.add(userId);
  for (let n = 0; n < contacts; n++) account.contacts.add(contactPerson(account.index, n).id);

  const dialogs: { peer: MarkedId; authors: readonly number[]; messages: number; media: boolean }[] = [];
  for (const [i, { userId }] of colleagues.entries()) dialogs.push({ peer: userId, authors: [userId], messages: 4, media: i === 0 });
  for (let n = 0; n < contacts; n++)
    dialogs.push({
      peer: contactPerson(account.index, n).id,
      authors: [contactPerson(account.index, n).id],
      messages: n === 0 ? 30 : 2,
      media: n === 0,
    });
  for (const marked of account.chats)
    if (marked > -channelBase) dialogs.push({ peer: marked, authors: groupAuthors(world, account, marked), messages: 3, media: false });

  for (let n = 0; n < Math.min(account.stock.groups, chatsPerAccount); n++) {
    const id = groupBase + account.index * chatsPerAccount + n;
    if (n % 2 === 0) {
      const members = new Map<number, number>([[account.userId, then + n * day]]);
      for (let m = 0; m < Math.min(account.stock.members, 180); m++) members.set(memberPerson(m).id, then + n * day + m);
      const isOwn = n % 4 === 0;
      const group = basicGroup({
        id,
        title: `Group ${n + 1} of ${account.person.firstName || account.account}`,
        about: n % 3 === 0 ? `About group ${n + 1}` : "",
        date: then,
        creatorId: isOwn ? account.userId : memberPerson(0).id,
        hasPhoto: n % 3 !== 0,
        members,
      });
      world.chats.addGroup(group);
      account.chats.add(markChat(id));
      dialogs.push({ peer: markChat(id), authors: [memberPerson(1).id], messages: 2, media: false });
    } else {
      addChannel(world, account, { n, type: "supergroup", title: `Supergroup ${n + 1} 💬`, isOwn: n % 4 === 1 });
    }
  }
  for (let n = 0; n < Math.min(account.stock.channels, chatsPerAccount / 2); n++) {
    addChannel(world, account, { n: chatsPerAccount / 2 + n, type: "broadcast", title: `Channel ${n + 1} 📡`, isOwn: n % 3 === 0 });
  }
  writeHistory(world, account, dialogs);
  const archived = contacts > 3 ? contactPerson(account.index, 3).id : undefined;
  if (archived !== undefined) account.archived.add(archived);
}

function addChannel(
  world: World,
  account: Account,
  { n, type, title, isOwn }: { n: number; type: "supergroup" | "broadcast"; title: string; isOwn: boolean },
): void {
  const date = world.startedAt - 200 * day;
  const channel: Channel = new Channel({
    id: channelBase + account.index * chatsPerAccount + n,
    type,
    title,
    about: `About ${title}`,
    date,
    creatorId: isOwn ? account.userId : memberPerson(2).id,
    extraMembers: account.stock.members,
    hasPhoto: n % 4 !== 0,
    seed: (box) => {
      for (let i = 0; i < 5; i++)
        box.add({
          date: world.startedAt - (5 - i) * 600,
          peer: markChannel(channel.id),
          from: type === "broadcast" ? 0 : memberPerson(i).id,
          out: false,
          text: `Message ${i + 1}`,
          seeded: true,
        });
    },
  });
  channel.joined.set(account.userId, date + n * 60);
  world.chats.addChannel(channel);
  account.chats.add(markChannel(channel.id));
}

function groupAuthors(world: World, account: Account, marked: MarkedId): number[] {
  const members = [...(world.chats.group(-marked)?.members.keys() ?? [])].filter((member) => member !== account.userId);
  return members.length > 0 ? members : [memberPerson(1).id];
}

/** Interleaves the messages of all chats in time, because they share one id sequence. */
function writeHistory(
  world: World,
  account: Account,
  dialogs: readonly { peer: MarkedId; authors: readonly number[]; messages: number; media: boolean }[],
): void {
  const attachments = [stockMedia.photos[0], stockMedia.stickers[0], stockMedia.video, stockMedia.documents[0]];
  const rounds = Math.max(0, ...dialogs.map(({ messages }) => messages));
  const total = dialogs.reduce((sum, { messages }) => sum + messages, 0);
  let written = 0;
  for (let round = rounds; round > 0; round--) {
    for (const { peer, authors, messages, media } of dialogs) {
      if (messages < round) continue;
      const out = round % 3 === 0;
      const mediaId = media && round <= attachments.length ? attachments[round - 1] : undefined;
      const date = world.startedAt - (total - written++) * 30;
      const from = out ? account.userId : (authors[round % authors.length] ?? 0);
      account.box.add({
        date,
        peer,
        from,
        out,
        text: mediaId === undefined ? `Message ${messages - round + 1} 💬` : "",
        seeded: true,
        ...(mediaId !== undefined && { attachment: { kind: "media", mediaId } }),
      });
    }
  }
  // Marks all but the newest message of each chat as read by both sides.
  for (const { peer } of dialogs) {
    const ids = account.box.idsOf(peer);
    account.box.readInbox.set(peer, ids.at(-2) ?? 0);
    account.box.readOutbox.set(peer, ids.at(-2) ?? 0);
  }
}
