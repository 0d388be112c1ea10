import { Api } from "telegram";
import { expect, test } from "vitest";
import { AbortScope } from "../../../../../shared/flow/abort-scope.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import type { Client } from "../../../../../shard/telegram/client.js";
import { PeerStore } from "../../../../../shard/telegram/peers.js";
import { EventReader } from "../../../../../shard/telegram/updates/event-reader.js";
import { People } from "../../../../../shard/telegram/updates/people.js";
import { UpdateFeed } from "../../../../../shard/telegram/updates/update-feed.js";
import { buildCursor } from "../../../../../shard/telegram/updates/update-position.js";
import { testRefs } from "../../../../harness/test-refs.js";
import { TestContext } from "../../../../platform/session-context.js";
import { aShortMessage } from "./packets.js";

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

async function aFeed(onUpdateQueue: (change: number) => void): Promise<UpdateFeed> {
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
    onRefused: () => undefined,
    requested: () => new Set(),
    gapMs: 500,
    positionMs: 5_000,
    backoffMinMs: 100,
    backoffMaxMs: 1_000,
  });
}
