import { Api } from "telegram";
import bigInt from "big-integer";
import { expect, test } from "vitest";
import { AbortScope } from "../../../../../shared/flow/abort-scope.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { accountSequence, type EditedMessages } from "../../../../../shared/media/message-media.js";
import type { Client } from "../../../../../shard/telegram/client.js";
import { PeerStore } from "../../../../../shard/telegram/peers.js";
import { EventReader } from "../../../../../shard/telegram/updates/event-reader.js";
import { People } from "../../../../../shard/telegram/updates/people.js";
import { UpdateFeed } from "../../../../../shard/telegram/updates/update-feed.js";
import { buildCursor } from "../../../../../shard/telegram/updates/update-position.js";
import { testRefs } from "../../../../harness/test-refs.js";
import { TestContext } from "../../../../platform/session-context.js";
import { aContainer, aMessage, aShortMessage, aUser, bob } from "./packets.js";

const alice = "700000001";

test("nothing counts as waiting once the connection has ended", async () => {
  let waiting = 0;
  const feed = await aFeed((change) => (waiting += change));
  const client = { invoke: () => Promise.resolve(new Api.updates.DifferenceEmpty({ date: 1, seq: 0 })) } as unknown as Client;
  const scope = new AbortScope();
  const following = feed.follow(client, alice, scope);
  await feed.stored(scope);
  for (const pts of [11, 12]) feed.accept(aShortMessage(pts));
  expect(waiting).toBe(2);
  scope.abort();
  await following;
  expect(waiting).toBe(0);
});

test("reports edited messages that may have another file, by the sequence of their ids", async () => {
  const edited: EditedMessages[] = [];
  const feed = await aFeed(
    () => undefined,
    async (messages) => void edited.push(messages),
  );
  const client = { invoke: () => Promise.resolve(new Api.updates.DifferenceEmpty({ date: 1, seq: 0 })) } as unknown as Client;
  const scope = new AbortScope();
  const following = feed.follow(client, alice, scope);
  await feed.stored(scope);
  const media = new Api.MessageMediaPhoto({ photo: new Api.PhotoEmpty({ id: bigInt(1) }) });
  const anEdit = (pts: number, fields: Parameters<typeof aMessage>[0]): Api.UpdateEditMessage =>
    new Api.UpdateEditMessage({ message: aMessage({ editDate: 1_700_000_050, ...fields }), pts, ptsCount: 1 });
  feed.accept(aContainer([anEdit(11, { id: 7, media }), anEdit(12, { id: 8 })], 0, [aUser(bob)]));
  await feed.stored(scope);
  scope.abort();
  await following;
  expect(edited).toEqual([{ sequence: accountSequence, ids: ["7"] }]);
});

async function aFeed(
  onUpdateQueue: (change: number) => void,
  onEdited: (edited: EditedMessages) => Promise<void> = () => Promise.resolve(),
): Promise<UpdateFeed> {
  const context = new TestContext();
  await context.updates.advance({
    cursor: buildCursor({ user: alice, pts: 10, qts: 0, date: 1, seq: 0, newest: 10 }),
    events: [],
    messages: new Map(),
  });
  const peers = new PeerStore(context.peers, silentLog);
  const people = new People(peers, () => "");
  const reader = new EventReader({
    session: context.id,
    log: context.updates,
    links: { mediaUrl: () => "" },
    refs: testRefs("telegram").of(context),
    people,
    peers,
    self: () => alice,
    logger: silentLog,
  });
  return new UpdateFeed({
    log: context.updates,
    logger: silentLog,
    reader,
    people,
    peers,
    metrics: { onUpdateQueue },
    onDeleted: () => Promise.resolve(),
    onEdited,
    onRefused: () => undefined,
    requested: () => new Set(),
    gapMs: 500,
    positionMs: 5_000,
    backoffMinMs: 100,
    backoffMaxMs: 1_000,
  });
}
