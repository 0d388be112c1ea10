import { createHash } from "node:crypto";
import { downloadMediaMessage } from "@whiskeysockets/baileys";
import typia from "typia";
import { serveParent } from "../child.js";
import type { BareReceived } from "./bare-baileys-downloads.js";
import type { BareDownload } from "./bare-download.js";

const isReceived = typia.createAssert<BareReceived>();

serveParent(async (message) => await download(isReceived(message)));

async function download({ url, mediaKey, digest }: BareReceived): Promise<BareDownload> {
  const hash = createHash("sha256");
  let bytes = 0;
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const stream = await downloadMediaMessage({ key: {}, message: { documentMessage: { url, mediaKey } } }, "stream", {});
  for await (const part of stream) {
    bytes += (part as Buffer).length;
    if (digest) hash.update(part as Buffer);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { bytes, seconds, cpuSeconds: (user + system) / 1e6, sha256: digest ? hash.digest("hex") : "" };
}
