import { expect, it } from "vitest";
import { CommandSender, type Ahead } from "../../../../router/bus/command-sender.js";
import type { OpenEnvelope } from "../../../../shared/bus/envelope.js";
import { LocalBus, type LocalEntry } from "../../../../shared/bus/local-bus.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCommandId } from "../../../../shared/contract/ids.js";
import { commandStreamMax } from "../../../../shared/limits.js";
import { silentLog } from "../../../../shared/log/logger.js";
import type { RedisClient } from "../../../../shared/redis/connect.js";
import { startRedis } from "../../../harness/redis.js";

const command = (): OpenEnvelope => ({ id: newCommandId(), slot: 1, attempt: 0, opened: {} }) as unknown as OpenEnvelope;
const owner: SlotOwner = { member: "shard-1", incarnation: "a", token: "1" as unknown as SlotToken, state: "held" };

/** A bus whose shard takes all entries, and a sender whose own shard owns every slot. */
function ownShard() {
  const got: LocalEntry[] = [];
  const local = new LocalBus(owner.member);
  local.read({ onEntry: (entry) => void got.push(entry), wants: () => true });
  const sender = new CommandSender({
    writer: { status: "ready" } as unknown as RedisClient,
    owners: { owner: () => Promise.resolve(owner) },
    ring: { sealBytes: (bytes) => bytes },
    local,
    log: silentLog,
  });
  const fill = (): string[] => Array.from({ length: commandStreamMax }, () => local.enqueue(command()));
  const send = (envelope: OpenEnvelope, behind?: Ahead, unsure = false) => sender.send(envelope, unsure, () => ({ behind }));
  return { got, local, fill, send };
}

it("hands no call to its own shard ahead of an earlier one that the full bus refused", async () => {
  const { got, local, fill, send } = ownShard();
  const taken = fill();
  const [first, second] = [command(), command()];
  expect(await send(first)).toBe("BUSY");
  local.done(taken[0] ?? "");
  expect(await send(second, first)).toBe("BEHIND");
  expect(got).toHaveLength(commandStreamMax);
  expect(await send(first)).toMatchObject({ to: owner });
});

it("still counts a call as possibly sent when its own shard is full, because another shard may have it", async () => {
  const { fill, send } = ownShard();
  fill();
  expect(await send(command(), undefined, true)).toBe("UNSURE");
});

it("still counts a call as possibly sent when its next owner does not have it", async () => {
  const redis = await startRedis();
  try {
    const head = { platform: "whatsapp", command: "send-message", session: "0123456789abcdef01234567", replyTo: "router-1", ttl: 1_000 };
    const sender = new CommandSender({
      writer: redis.client,
      owners: { owner: () => Promise.resolve(owner) },
      ring: { sealBytes: (bytes) => bytes },
      log: silentLog,
    });
    const send = (unsure: boolean) => sender.send({ ...command(), ...head } as OpenEnvelope, unsure, () => ({ behind: undefined }));
    expect([await send(false), await send(true)]).toEqual(["NOMEMBER", "UNSURE"]);
  } finally {
    await redis.stop();
  }
});
