import { chunkBytes } from "../../shared/limits.js";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { receivedFile } from "../../test/harness/received-files.js";
import { BareBaileysDownloads } from "../baseline/bare-baileys-downloads.js";
import type { BareDownload } from "../baseline/bare-download.js";
import type { Figure } from "../figure.js";
import { sealedLinksOf } from "../media/sealed-links-of.js";
import { coldDownload, coldFigures, type ColdDownload } from "./cold-download.js";
import { requireWhole } from "./cold-files.js";
import type { Downloader } from "./downloader.js";

export interface ReceivedRound {
  readonly ours: ColdDownload;
  readonly bare: BareDownload;
}

export interface ReceivedPlan {
  readonly gateway: Gateway;
  readonly downloads: Downloader;
  readonly rounds: number;
  readonly fileBytes: number;
  readonly signal: AbortSignal;
}

/** Measures downloads of files that a WhatsApp account has received, beside Baileys' own download of the same files. */
export async function receivedRounds({ gateway, downloads, rounds, fileBytes, signal }: ReceivedPlan): Promise<ReceivedRound[]> {
  const caller = await loggedIn(gateway, "alice", "whatsapp");
  const links = await sealedLinksOf(gateway);
  const bare = BareBaileysDownloads.start(gateway, signal);
  const done: ReceivedRound[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const { path, size, facts, fileId } = await receivedFile(caller, links, fileBytes, { kind: "document" });
      const file = { url: `${new URL(gateway.whatsapp[0] ?? "").origin}${path}`, size, fileId };
      // The first file warms both sides up, and its bytes are compared.
      const digest = round === 0;
      const fromBare = async (): Promise<BareDownload> => {
        const result = await bare.download(facts, digest);
        requireWhole(file, result);
        return result;
      };
      const early = round % 2 === 0 ? undefined : await fromBare();
      const ours = await coldDownload(gateway, downloads, file, digest);
      const one = { ours, bare: early ?? (await fromBare()) };
      if (round > 0) done.push(one);
    }
    return done;
  } finally {
    await bare.stop();
  }
}

export function receivedRatio({ ours, bare }: ReceivedRound): number {
  return bare.seconds / ours.seconds;
}

export function receivedFigures(rounds: readonly ReceivedRound[], fileMiB: number): Figure[] {
  const over = (read: (round: ReceivedRound) => number): Figure["value"] => ({ rounds: rounds.map(read) });
  const how = "`downloadMediaMessage` as a stream: one request of the whole file, whose hashes it does not check";
  return [
    ...coldFigures(
      rounds.map(({ ours }) => ours),
      fileMiB,
      ", a WhatsApp file",
    ),
    { what: "Baileys, downloadMediaMessage", unit: "MiB/s", value: over(({ bare }) => fileMiB / bare.seconds), how },
    {
      what: "ratio, a WhatsApp file",
      unit: "",
      value: over(receivedRatio),
      how: `of each round; the gateway reads ranges of ${chunkBytes / 1024} KiB`,
    },
    {
      what: "CPU of Baileys",
      unit: "CPU ms/MiB",
      value: over(({ bare }) => (bare.cpuSeconds * 1000) / fileMiB),
      how: "download, decryption and consumer in one process",
    },
  ];
}
