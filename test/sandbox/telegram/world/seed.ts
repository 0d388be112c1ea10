import { basicGroup, Channel, type BasicGroup, type ChannelOptions } from "./chat.js";
import { markChannel, markChat } from "./ids.js";
import type { MessageBox } from "./message-box.js";
import { stockMedia } from "./media-library.js";
import type { World } from "./world.js";

/** The seeded accounts. Their order determines their user ids. */
const cast = [
  {
    account: "alice",
    firstName: "Alice",
    lastName: "Liddell 🌸",
    username: "alice_sandbox",
    dcId: 1,
    stock: { contacts: 90, groups: 24, channels: 20, members: 60 },
  },
  { account: "bob", firstName: "Bob", lastName: "Builder", username: "bob_sandbox", dcId: 1 },
  { account: "carol", firstName: "Carol", lastName: "Кузнецова", username: "carol_sandbox", dcId: 2 },
  {
    account: "dave",
    firstName: "Dave",
    lastName: "",
    username: "dave_sandbox",
    dcId: 1,
    password: "correct horse",
    hint: "battery staple",
  },
  { account: "erin", firstName: "Erin", lastName: "O'Neill", username: "erin_sandbox", dcId: 2, password: "пароль🔑", hint: "мой ключ" },
  { account: "frank", firstName: "Frank", lastName: "", dcId: 1 },
  { account: "grace", firstName: "غريس", lastName: "الحسن 🕊️", username: "grace_sandbox", dcId: 1 },
  { account: "heidi", firstName: "Heidi 🏔️", lastName: "", dcId: 2 },
  { account: "ivan", firstName: "Иван", lastName: "Петров", username: "ivan_sandbox", dcId: 1 },
  { account: "judy", firstName: "Judy", lastName: "Jetson", username: "judy_sandbox", dcId: 1 },
  { account: "kenji", firstName: "健二", lastName: "田中", username: "kenji_sandbox", dcId: 1 },
  { account: "lina", firstName: "לינה", lastName: "", username: "lina_sandbox", dcId: 3 },
  { account: "mallory", firstName: "", lastName: "", username: "mallory_sandbox", dcId: 1 },
] as const;

export function seedAccounts(world: World): void {
  for (const [index, { ...draft }] of cast.entries()) {
    world.accounts.create({
      stock: { contacts: 30, groups: 8, channels: 6, members: 40 },
      ...draft,
      index,
      phone: `1555010${String(index + 1).padStart(4, "0")}`,
      custom: false,
    });
  }
  // Mallory has blocked Alice, and Alice has blocked Lina.
  const [alice, mallory, lina] = [world.accounts.get("alice"), world.accounts.get("mallory"), world.accounts.get("lina")];
  if (alice === undefined || mallory === undefined || lina === undefined) return;
  mallory.blocked.add(alice.userId);
  alice.blocked.add(lina.userId);
}

/** Ids of chats that tests need for their features. */
export const sharedChats = {
  bigGroup: 1_900_000_001,
  hiddenGroup: 1_900_000_002,
  publicGroup: 1_900_000_003,
  slowGroup: 1_900_000_004,
  readOnlyGroup: 1_900_000_005,
  otherPublicGroup: 1_900_000_006,
  gigagroup: 1_900_000_007,
  leftGroup: 1_900_000_008,
  upgradedGroup: 1_900_000_009,
  aliceChannel: 1_900_000_011,
  bobChannel: 1_900_000_012,
  dailyChannel: 1_900_000_013,
  privateChannel: 1_900_000_014,
  otherPublicChannel: 1_900_000_015,
  mediaChannel: 1_900_000_016,
  emptyChannel: 1_900_000_017,
  forbiddenChannel: 1_900_000_018,
  otherPrivateChannel: 1_900_000_019,
  /** A basic group whose marked id starts with -100, like a channel's. */
  trapGroup: 1_001_234,
  familyGroup: 4_000_001,
  huskGroup: 4_000_002,
  forbiddenGroup: 4_000_003,
} as const;

const day = 86_400;

export function seedSharedChats(world: World): void {
  const everyone = [...world.accounts.all()].map(({ userId }) => userId);
  const id = (account: string): number => world.accounts.get(account)?.userId ?? 0;
  const then = world.startedAt - 400 * day;
  const stranger = 6_500_000_001;

  const add = (
    options: Omit<ChannelOptions, "date" | "seed"> & { members?: readonly number[]; posts?: number; media?: boolean },
  ): Channel => {
    const { members = [], posts = 12, media = false, ...rest } = options;
    const channel = new Channel({ ...rest, date: then, seed: (box) => seedPosts(world, channel, box, posts, media) });
    for (const [i, member] of members.entries()) channel.joined.set(member, then + (i + 1) * day);
    for (const member of members) joinedBy(world, member, markChannel(channel.id));
    world.chats.addChannel(channel);
    return channel;
  };

  add({
    id: sharedChats.bigGroup,
    type: "supergroup",
    title: "Big Town 🏙️",
    about: "Ten thousand people in one place",
    creatorId: id("bob"),
    extraMembers: 10_000 - everyone.length,
    members: everyone,
  });
  add({
    id: sharedChats.hiddenGroup,
    type: "supergroup",
    title: "Masquerade",
    about: "Nobody sees who is here",
    creatorId: id("bob"),
    extraMembers: 300,
    hidesMembers: true,
    members: everyone,
  });
  const publicGroup = add({
    id: sharedChats.publicGroup,
    type: "supergroup",
    title: "Public Square",
    about: "Открыто для всех",
    username: "sandbox_square",
    creatorId: id("carol"),
    extraMembers: 450,
    members: everyone,
  });
  publicGroup.admins.set(id("alice"), { postMessages: true });
  add({
    id: sharedChats.slowGroup,
    type: "supergroup",
    title: "Slow Lane",
    creatorId: id("carol"),
    extraMembers: 40,
    slowmodeSeconds: 60,
    members: everyone,
  });
  add({
    id: sharedChats.readOnlyGroup,
    type: "supergroup",
    title: "Reading Room",
    creatorId: id("carol"),
    extraMembers: 40,
    readOnly: true,
    members: everyone,
  });
  add({
    id: sharedChats.otherPublicGroup,
    type: "supergroup",
    title: "Other Square",
    username: "sandbox_other_square",
    creatorId: stranger,
    extraMembers: 120,
  });
  add({
    id: sharedChats.gigagroup,
    type: "gigagroup",
    title: "Stadium",
    creatorId: id("carol"),
    extraMembers: 500,
    readOnly: true,
    members: everyone.slice(0, 6),
  });
  const left = add({
    id: sharedChats.leftGroup,
    type: "supergroup",
    title: "Old Flat",
    creatorId: stranger,
    extraMembers: 20,
    members: everyone.slice(0, 4),
  });
  for (const member of everyone.slice(0, 4)) {
    left.joined.delete(member);
    left.left.add(member);
  }
  add({
    id: sharedChats.upgradedGroup,
    type: "supergroup",
    title: "Chess Club ♟️",
    creatorId: id("alice"),
    extraMembers: 10,
    members: everyone.slice(0, 5),
  });

  add({
    id: sharedChats.aliceChannel,
    type: "broadcast",
    title: "Alice's News 📣",
    about: "What Alice did",
    username: "alice_news",
    creatorId: id("alice"),
    extraMembers: 900,
    members: everyone,
  });
  const bobs = add({
    id: sharedChats.bobChannel,
    type: "broadcast",
    title: "Bob Builds",
    about: "Bricks",
    username: "bob_builds",
    creatorId: id("bob"),
    extraMembers: 80,
    members: everyone,
  });
  bobs.admins.set(id("alice"), { postMessages: true });
  const daily = add({
    id: sharedChats.dailyChannel,
    type: "broadcast",
    title: "أخبار اليوم",
    about: "الأخبار كل يوم",
    username: "sandbox_daily",
    creatorId: stranger,
    extraMembers: 5_000,
    members: everyone,
    posts: 250,
  });
  daily.admins.set(id("carol"), { postMessages: false });
  add({
    id: sharedChats.privateChannel,
    type: "broadcast",
    title: "Inner Circle",
    about: "By invitation",
    creatorId: stranger,
    extraMembers: 12,
    hasPhoto: false,
    members: everyone,
  });
  add({
    id: sharedChats.otherPublicChannel,
    type: "broadcast",
    title: "Not Joined",
    username: "sandbox_not_joined",
    creatorId: stranger,
    extraMembers: 700,
  });
  add({
    id: sharedChats.mediaChannel,
    type: "broadcast",
    title: "Media Wall 🖼️",
    about: "Pictures and films",
    creatorId: id("alice"),
    extraMembers: 33,
    members: everyone,
    posts: 0,
    media: true,
  });
  add({
    id: sharedChats.emptyChannel,
    type: "broadcast",
    title: "Nothing Yet",
    creatorId: stranger,
    extraMembers: 3,
    hasPhoto: false,
    members: everyone,
    posts: 0,
  });
  add({ id: sharedChats.otherPrivateChannel, type: "broadcast", title: "Elsewhere", creatorId: stranger, extraMembers: 5 });
  const forbidden = add({
    id: sharedChats.forbiddenChannel,
    type: "broadcast",
    title: "Thrown Out",
    creatorId: stranger,
    extraMembers: 5,
    members: everyone.slice(0, 4),
  });
  for (const member of everyone.slice(0, 4)) {
    forbidden.joined.delete(member);
    forbidden.forbiddenTo.add(member);
  }

  const group = (options: Pick<BasicGroup, "id" | "title" | "creatorId"> & Partial<BasicGroup>, members: readonly number[]): BasicGroup => {
    const made = basicGroup({ date: then, members: new Map(members.map((member, i) => [member, then + i * day])), ...options });
    world.chats.addGroup(made);
    for (const member of members) joinedBy(world, member, markChat(made.id));
    return made;
  };
  group({ id: sharedChats.familyGroup, title: "Family 👨‍👩‍👧", about: "Sunday dinners", creatorId: id("alice") }, everyone.slice(0, 8));
  group({ id: sharedChats.trapGroup, title: "Hundred and One", creatorId: id("bob"), hasPhoto: false }, everyone.slice(0, 6));
  group(
    { id: sharedChats.huskGroup, title: "Chess Club ♟️", creatorId: id("alice"), migratedTo: sharedChats.upgradedGroup },
    everyone.slice(0, 5),
  );
  const closed = group({ id: sharedChats.forbiddenGroup, title: "Closed Door", creatorId: stranger }, everyone.slice(0, 3));
  for (const member of everyone.slice(0, 3)) {
    closed.members.delete(member);
    closed.forbiddenTo.add(member);
  }
}

/** Media of the media channel, in order from message 1. */
const mediaPosts: readonly number[] = [
  ...stockMedia.photos,
  ...stockMedia.stickers,
  stockMedia.video,
  stockMedia.video64,
  stockMedia.video1500,
  ...stockMedia.documents,
  stockMedia.audio,
];

function joinedBy(world: World, userId: number, marked: number): void {
  world.accounts.ofUser(userId)?.chats.add(marked);
}

function seedPosts(world: World, channel: Channel, box: MessageBox, posts: number, media: boolean): void {
  const peer = markChannel(channel.id);
  const texts = ["Good morning", "Новости дня", "صباح الخير", "Read this 👇", "Thanks all!", "See you tomorrow 🌙"];
  const authors = channel.broadcast ? [0] : [channel.creatorId, ...channel.memberIds(0, 6)];
  for (let n = 0; n < posts; n++) {
    const date = world.startedAt - (posts - n) * 3_600;
    box.add({
      date,
      peer,
      from: authors[n % authors.length] ?? 0,
      out: false,
      text: `${texts[n % texts.length] ?? ""} #${n + 1}`,
      seeded: true,
    });
  }
  if (!media) return;
  for (const [n, mediaId] of mediaPosts.entries()) {
    const date = world.startedAt - (mediaPosts.length - n) * 60;
    box.add({ date, peer, from: 0, out: false, text: n === 0 ? "A caption" : "", attachment: { kind: "media", mediaId }, seeded: true });
  }
}
