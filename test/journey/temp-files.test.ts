import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

let gateway: Gateway;
/** The system's folder for temporary files, for this gateway alone: others' tests leave files of the same kind in the real one. */
let systemTemp: string;
beforeAll(async () => {
  systemTemp = await mkdtemp(join(tmpdir(), "tl-temp-"));
  gateway = await startGateway({ routers: 1, shards: 1, env: { TMPDIR: systemTemp } });
});
afterAll(async () => {
  await gateway.stop();
  await rm(systemTemp, { recursive: true, force: true });
});

/** Encrypted media on its way to a media server: the library's own temporary files. */
async function mediaIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith("-enc"));
}

it("the media that a killed shard was uploading does not stay on the disk", async () => {
  const side = new WhatsAppSide(gateway);
  const caller = await loggedIn(gateway, "alice", "whatsapp");
  const temp = join(gateway.dataDir, "temp");
  await side.post("/faults", { kind: "stall", account: "alice", method: "upload", times: 1 });
  const sending = caller.send("POST", "/message", {
    phone: "6281155501002",
    type: "image",
    image: { url: side.fileUrl("photo.jpg"), mimetype: "image/jpeg" },
  });
  await eventually("the upload is under way", async () => (await mediaIn(temp)).length > 0);
  expect(await mediaIn(systemTemp)).toEqual([]);
  const pid = await gateway.shardPid("shard-1");
  process.kill(pid, "SIGKILL");
  // The dead shard may not have come as far as the request that stalls.
  await side.clearFaults();
  await eventually("the next shard", async () => (await gateway.shardPid("shard-1")) !== pid);
  // The command is taken up again by the next life, and its file goes with its upload.
  expect((await sending).status).toBe(200);
  await eventually("an empty folder", async () => (await mediaIn(temp)).length === 0);
});
