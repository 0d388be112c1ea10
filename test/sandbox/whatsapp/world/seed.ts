import { jidOf } from "./jid.js";
import { Channel, type ChannelOptions } from "./channel.js";
import { Group, type GroupOptions } from "./group.js";
import type { AccountDraft } from "./account-book.js";
import { contactPerson, memberPerson, nameOf } from "./person.js";
import type { World } from "./world.js";

/** The seeded accounts. Their order determines their numbers. */
const cast: readonly AccountDraft[] = [
  { account: "alice", pushName: "Alice Liddell 🌸", stock: { contacts: 90, groups: 24, channels: 20, members: 60 } },
  { account: "bob", pushName: "Bob Builder" },
  { account: "carol", pushName: "Carol Кузнецова" },
  { account: "dave", pushName: "Dave" },
  { account: "erin", pushName: "Erin O'Neill" },
  { account: "frank", pushName: "Frank", firstSync: "silent" },
  { account: "grace", pushName: "غريس الحسن 🕊️", stock: { contacts: 0 } },
  { account: "heidi", pushName: "Heidi 🏔️", stock: { contacts: 500 } },
  { account: "ivan", pushName: "Иван Петров" },
  { account: "judy", pushName: "" },
  { account: "kenji", pushName: "健二 田中", businessName: "Tanaka Tea" },
  { account: "lina", pushName: "לינה", firstSync: "keys-only" },
  { account: "mallory", pushName: "Mallory" },
  { account: "passkey", pushName: "Peggy", linking: "passkey" },
];

/** Ids of chats that tests need for their features. */
export const sharedGroups = {
  family: "120363000000000001@g.us",
  big: "120363000000000002@g.us",
  hidden: "120363000000000003@g.us",
  announcements: "120363000000000004@g.us",
  undated: "120363000000000005@g.us",
  denied: "120363000000000006@g.us",
  foreign: "120363000000000007@g.us",
} as const;

export const sharedChannels = {
  alice: "120363900000000001@newsletter",
  bob: "120363900000000002@newsletter",
  daily: "120363900000000003@newsletter",
  plain: "120363900000000004@newsletter",
  foreign: "120363900000000005@newsletter",
  suspended: "120363900000000006@newsletter",
} as const;

const day = 86_400;

export function seedAccounts(world: World): void {
  for (const [index, draft] of cast.entries()) {
    world.accounts.create({
      ...draft,
      stock: { contacts: 30, groups: 8, channels: 6, members: 40, ...draft.stock },
      index,
      phone: `6281155501${String(index + 1).padStart(3, "0")}`,
    });
  }
  const account = (name: string) => world.account(name);
  const contact = (name: string, n: number) => contactPerson(account(name).index, n);
  account("bob").statusPrivacy = { list: "blacklist", users: [jidOf(contact("bob", 0)), jidOf(contact("bob", 1))] };
  account("ivan").statusPrivacy = { list: "blacklist", users: [`${contact("ivan", 2).lid}@lid`] };
  account("carol").statusPrivacy = { list: "whitelist", users: [0, 1, 2].map((n) => jidOf(contact("carol", n))) };
  account("dave").statusPrivacy = { list: "whitelist", users: [] };
  account("erin").statusPrivacy = undefined;
  account("alice").blocked.add(jidOf(account("lina")));
  account("mallory").blocked.add(jidOf(account("alice")));
  // The accounts know each other.
  const people = [...world.accounts.all()].filter(({ options }) => options.stock.contacts > 0);
  for (const owner of people)
    for (const other of people)
      if (other !== owner)
        owner.acquaintances.push({ phone: other.phone, lid: other.lid, name: other.pushName === "" ? nameOf(other) : other.pushName });
}

export function seedSharedChats(world: World): void {
  const everyone = [...world.accounts.all()];
  const account = (name: string) => world.account(name);
  const then = world.startedAt - 400 * day;
  const group = (options: Pick<GroupOptions, "id" | "subject" | "owner"> & Partial<GroupOptions>): void => {
    world.addGroup(
      new Group({
        description: "",
        created: then,
        addressing: "lid",
        hidden: false,
        announce: false,
        picture: "shown",
        people: everyone,
        extraFrom: 0,
        extraMembers: 0,
        ...options,
      }),
    );
  };
  group({
    id: sharedGroups.family,
    subject: "Family 👨‍👩‍👧",
    description: "Sunday dinners\nat eight",
    owner: account("alice"),
    addressing: "pn",
    people: everyone.slice(0, 8),
  });
  group({
    id: sharedGroups.big,
    subject: "Everybody",
    description: "Five hundred people",
    owner: account("bob"),
    extraMembers: 500 - everyone.length,
  });
  group({
    id: sharedGroups.hidden,
    subject: "Masquerade 🎭",
    owner: memberPerson(5_000),
    hidden: true,
    picture: "none",
    people: [...everyone, contactPerson(account("alice").index, 0)],
    extraFrom: 5_001,
    extraMembers: 12,
  });
  group({
    id: sharedGroups.announcements,
    subject: "Announcements",
    description: "Read only",
    owner: account("carol"),
    announce: true,
    extraMembers: 30,
    extraFrom: 100,
  });
  group({ id: sharedGroups.undated, subject: "", owner: memberPerson(6_000), created: undefined, picture: "none", addressing: "pn" });
  group({ id: sharedGroups.denied, subject: "No Pictures", owner: memberPerson(6_001), picture: "denied" });
  group({ id: sharedGroups.foreign, subject: "Not Yours", owner: memberPerson(6_002), people: [], extraFrom: 6_003, extraMembers: 5 });

  const channel = (options: Pick<ChannelOptions, "id" | "name" | "owner"> & Partial<ChannelOptions>): void => {
    world.addChannel(
      new Channel(
        {
          description: "",
          created: then,
          admins: [],
          followers: everyone,
          subscribers: 1_000,
          picture: "url",
          state: "ACTIVE",
          posts: 12,
          ...options,
        },
        world.startedAt,
      ),
    );
  };
  channel({
    id: sharedChannels.alice,
    name: "Alice's News 📰",
    description: "All that happens",
    owner: account("alice"),
    subscribers: 900,
  });
  channel({ id: sharedChannels.bob, name: "Bob Builds", owner: account("bob"), admins: [account("alice")], picture: "path" });
  channel({ id: sharedChannels.daily, name: "أخبار اليوم", owner: memberPerson(7_000), subscribers: 250_000, posts: 250 });
  channel({ id: sharedChannels.plain, name: "Nothing Yet", owner: memberPerson(7_001), picture: "none", posts: 0 });
  channel({ id: sharedChannels.foreign, name: "Not Followed", owner: memberPerson(7_002), followers: [] });
  channel({ id: sharedChannels.suspended, name: "Suspended", owner: memberPerson(7_003), state: "SUSPENDED" });
}
