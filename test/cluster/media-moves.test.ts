import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { socketPath } from "../../deploy/supervisor/unix-socket.js";
import { readOwner } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/cluster/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { chunkBytes } from "../../shared/limits.js";
import { silentLog } from "../../shared/log/logger.js";
import { LinkKeys } from "../../shared/media/link.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { channelFile } from "../harness/media-files.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { ask } from "../harness/wire.js";

const keyText = `a:${randomBytes(32).toString("base64")}`;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 2, env: { MEDIA_KEYS: keyText } });
});
afterAll(() => gateway.stop());

it("what is in no cache waits for the next owner's connect while its session moves, as commands do", async () => {
  const side = new TelegramSide(gateway);
  const alice = await loggedIn(gateway, "alice");
  const film = await channelFile(side, LinkKeys.parse(keyText), alice, 1.5 * 2 ** 30);
  const redis = await connectRedis(socketPath(join(gateway.dataDir, "redis"), "redis.sock"), "writer", silentLog);
  try {
    const { id } = alice.credentials;
    if (!isSessionId(id)) throw new Error("no session id");
    const slot = slotOf(id);
    const member = async (): Promise<string> => (await readOwner(redis, slot))?.member ?? "";
    const next = (await member()) === "shard-1" ? "shard-2" : "shard-1";
    // A connect that takes its time, as a busy platform's does.
    await side.fault({ kind: "delay", account: "alice", seconds: 1 });
    await redis.hset(keys.pins, String(slot), next);
    const answers: string[] = [];
    let chunk = 0;
    await eventually(
      "the session at its next owner, connected",
      async () => {
        const from = (chunk += 3) * chunkBytes;
        const { status, body } = await ask(gateway.telegram[0] ?? "", film.path, { headers: { Range: `bytes=${from}-${from + 99}` } });
        answers.push(status === 206 ? (body.equals(film.bytes(from, 100)) ? "206" : "wrong bytes") : `${status} ${body.toString()}`);
        return (await member()) === next && (await alice.record()).isConnected;
      },
      60_000,
    );
    expect([...new Set(answers)]).toEqual(["206"]);
  } finally {
    redis.disconnect();
    await side.clearFaults();
  }
});
