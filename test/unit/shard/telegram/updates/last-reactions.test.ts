import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { compareReactions, packReactions, unpackReactions, type Seen } from "../../../../../shard/telegram/updates/last-reactions.js";

const [self, bob, carol] = ["700000001", "700000002", "700000003"];
const at = 1_700_000_000;
const inGroup: Seen = { other: undefined, self, date: at, since: at };
const withBob: Seen = { ...inGroup, other: bob };
const emoji = (emoticon: string): Api.ReactionEmoji => new Api.ReactionEmoji({ emoticon });

/** `counts` may be more than the reactors that are named. */
function reactions(named: readonly (readonly [person: string, emoticon: string, date?: number])[], counts?: Record<string, number>) {
  const count = counts ?? Object.fromEntries(named.map(([, one]) => [one, named.filter(([, other]) => other === one).length]));
  return new Api.MessageReactions({
    results: Object.entries(count).map(([one, total]) => new Api.ReactionCount({ reaction: emoji(one), count: total })),
    // The platform lists the newest first.
    recentReactions: named
      .map(
        ([id, one, date = at]) =>
          new Api.MessagePeerReaction({ peerId: new Api.PeerUser({ userId: bigInt(id) }), date, reaction: emoji(one) }),
      )
      .toReversed(),
  });
}

const before = (entries: Record<string, readonly string[]>): ReadonlyMap<string, readonly string[]> => new Map(Object.entries(entries));

describe("reactions in a group", () => {
  test("are reported for the person whose reaction changed", () => {
    const { reactors, changed } = compareReactions(
      reactions([
        [bob, "👍"],
        [carol, "🔥"],
      ]),
      before({ [bob]: ["👍"] }),
      inGroup,
    );
    expect(changed).toEqual([{ person: carol, emoji: "🔥", at }]);
    expect([...reactors.keys()]).toEqual([bob, carol]);
    expect(
      compareReactions(
        reactions([
          [bob, "👍"],
          [carol, "🔥"],
        ]),
        reactors,
        inGroup,
      ).changed,
    ).toEqual([]);
  });

  test("are removed if the platform names all that are left", () => {
    const known = before({ [bob]: ["👍"], [carol]: ["👍"] });
    expect(compareReactions(reactions([[carol, "👍"]]), known, inGroup).changed).toEqual([{ person: bob, emoji: "", at }]);
    expect(compareReactions(undefined, known, inGroup).changed.map(({ person }) => person)).toEqual([bob, carol]);
  });

  test("of people who are not named stay while others have the emoji", () => {
    const known = before({ [bob]: ["👍"] });
    const many = reactions([[carol, "👍"]], { "👍": 5 });
    expect(compareReactions(many, known, inGroup).changed).toEqual([{ person: carol, emoji: "👍", at }]);
    expect(compareReactions(reactions([[carol, "🔥"]], { "🔥": 5 }), known, inGroup).changed).toContainEqual({
      person: bob,
      emoji: "",
      at,
    });
  });

  test("that are older than the update are known already if nothing was stored", () => {
    const { changed, reactors } = compareReactions(
      reactions([
        [bob, "👍", at - 86_400],
        [carol, "🔥"],
      ]),
      undefined,
      inGroup,
    );
    expect(changed.map(({ person }) => person)).toEqual([carol]);
    expect([...reactors.keys()]).toEqual([bob, carol]);
  });

  test("of several emojis at once name the new one", () => {
    const { changed } = compareReactions(
      reactions([
        [bob, "👍"],
        [bob, "🎉"],
      ]),
      before({ [bob]: ["👍"] }),
      inGroup,
    );
    expect(changed).toEqual([{ person: bob, emoji: "🎉", at }]);
  });
});

describe("reactions in a private chat", () => {
  const counted = (count: number, chosenOrder?: number): Api.MessageReactions =>
    new Api.MessageReactions({
      results: [new Api.ReactionCount({ reaction: emoji("👍"), count, ...(chosenOrder !== undefined && { chosenOrder }) })],
    });

  test("follow from the counts", () => {
    const people = (all: Api.MessageReactions): string[] => compareReactions(all, undefined, withBob).changed.map(({ person }) => person);
    expect(people(counted(1))).toEqual([bob]);
    expect(people(counted(1, 0))).toEqual([self]);
    expect(people(counted(2, 0))).toEqual([self, bob]);
  });

  test("of a custom emoji have its id", () => {
    const results = [
      new Api.ReactionCount({ reaction: new Api.ReactionCustomEmoji({ documentId: bigInt("5368324170671202286") }), count: 1 }),
    ];
    expect(compareReactions(new Api.MessageReactions({ results }), undefined, withBob).changed[0]?.emoji).toBe("5368324170671202286");
  });
});

test("a mark can be read again, and a damaged one counts as none", () => {
  const mark = { reactors: before({ [bob]: ["👍", "🎉"] }), event: "e1" };
  expect(unpackReactions(packReactions(mark))).toEqual(mark);
  for (const text of [undefined, "[]", '["e1",[["7",[1]]]]']) expect(unpackReactions(text)).toBeUndefined();
});
