import { setTimeout as sleep } from "node:timers/promises";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { BareDownload } from "../baseline/bare-download.js";
import { BareGramJs } from "../baseline/bare-gramjs.js";
import { coldDownload, coldFigures, settleMs, type ColdDownload } from "../download/cold-download.js";
import { coldChannel, coldFiles, fetchedParts, requireWhole, type ColdFile } from "../download/cold-files.js";
import { receivedFigures, receivedRatio, receivedRounds } from "../download/cold-received.js";
import { Downloader } from "../download/downloader.js";
import { messageWaits } from "../download/message-waits.js";
import type { Figure } from "../figure.js";
import type { Scenario } from "../scenario.js";

const speedBar = "speed by GramJS's own";
const receivedBar = "a received WhatsApp file: speed by Baileys' own";

/**
 * One client downloads an uncached file through the whole gateway. The baselines are the libraries' own downloads from the same sandbox,
 * GramJS's with its largest parts. They alternate with a new file each round.
 */
export const mediaCold: Scenario = {
  name: "media-cold",
  about: "GET of a media link, a file that is in no cache, one client",
  bars: [
    { name: speedBar, unit: "", limit: { atLeast: 4 } },
    { name: receivedBar, unit: "", limit: "reported" },
  ],
  quick: "2 rounds with files of 16 MiB instead of 64",
  gateway: { allInOne: true },
  async run(gateway, load, signal, size) {
    const caller = await loggedIn(gateway, "alice");
    const { rounds, waits, fileMiB } = sizes[size];
    const fileBytes = fileMiB * 1024 * 1024;
    const files = await coldFiles(gateway, caller, rounds + 1, fileBytes);
    const bare = await BareGramJs.start(gateway, "alice", signal);
    const downloads = new Downloader(signal);
    try {
      const done: Round[] = [];
      for (const [index, file] of files.entries()) {
        // The first file warms both sides up, and its bytes are compared.
        const round = await measure(gateway, { bare, downloads, file, oursFirst: index % 2 === 0, digest: index === 0 });
        if (index > 0) done.push(round);
      }
      const received = await receivedRounds({ gateway, downloads, rounds, fileBytes, signal });
      const messages = await messageWaits({ gateway, load, caller, downloads, rounds: waits, fileBytes });
      return {
        figures: [...figuresOf(done, fileMiB), ...receivedFigures(received, fileMiB), ...messages],
        values: { [speedBar]: done.map(ratioOf), [receivedBar]: received.map(receivedRatio) },
        notes: [
          `${rounds} rounds, each with a file of its own of ${fileMiB} MiB, who begins changes from round to round; values over rounds are the median (least–most)`,
          "router and shard are one process, as npm start has them; sandbox, Redis and client share the machine's cores with it",
          "GramJS decrypts in JavaScript, one request of 512 KiB after the other, as the installed library does",
        ],
      };
    } finally {
      await downloads.stop();
      await bare.stop();
    }
  },
};

const sizes = { full: { rounds: 7, waits: 4, fileMiB: 64 }, quick: { rounds: 2, waits: 1, fileMiB: 16 } };

interface Round {
  readonly ours: ColdDownload;
  readonly bare: BareDownload;
  readonly bareOwnParts: BareDownload;
  readonly fetchedPerChunk: number;
}

interface Plan {
  readonly bare: BareGramJs;
  readonly downloads: Downloader;
  readonly file: ColdFile;
  readonly oursFirst: boolean;
  readonly digest: boolean;
}

async function measure(gateway: Gateway, { bare, downloads, file, oursFirst, digest }: Plan): Promise<Round> {
  const fromBare = async (method: "iterDownload" | "downloadMedia", hashed: boolean): Promise<BareDownload> => {
    await sleep(settleMs);
    const result = await bare.download({ channel: coldChannel, messageId: Number(file.messageId), method, digest: hashed });
    requireWhole(file, result);
    return result;
  };
  const ours = async (): Promise<{ ours: ColdDownload; fetchedPerChunk: number }> => {
    const fetchedBefore = await fetchedParts(gateway);
    const mine = await coldDownload(gateway, downloads, file, digest);
    return { ours: mine, fetchedPerChunk: ((await fetchedParts(gateway)) - fetchedBefore) / (file.size / chunkBytes) };
  };
  const bareOwnParts = await fromBare("downloadMedia", false);
  await fromBare("iterDownload", digest);
  if (oursFirst) {
    const mine = await ours();
    return { ...mine, bare: await fromBare("iterDownload", false), bareOwnParts };
  }
  const theirs = await fromBare("iterDownload", false);
  return { ...(await ours()), bare: theirs, bareOwnParts };
}

function ratioOf({ ours, bare }: Round): number {
  return bare.seconds / ours.seconds;
}

function figuresOf(rounds: readonly Round[], fileMiB: number): Figure[] {
  const over = (read: (round: Round) => number): Figure["value"] => ({ rounds: rounds.map(read) });
  const rate = (seconds: number): number => fileMiB / seconds;
  return [
    ...coldFigures(
      rounds.map(({ ours }) => ours),
      fileMiB,
    ),
    { what: "GramJS, iterDownload", unit: "MiB/s", value: over(({ bare }) => rate(bare.seconds)), how: "the same file, parts of 512 KiB" },
    { what: "ratio", unit: "", value: over(ratioOf), how: "of each round" },
    {
      what: "GramJS, downloadMedia",
      unit: "MiB/s",
      value: over(({ bareOwnParts }) => rate(bareOwnParts.seconds)),
      how: "the same file, parts of 128 KiB, which the library chooses by itself",
    },
    {
      what: "platform fetches by chunk",
      unit: "",
      value: over(({ fetchedPerChunk }) => fetchedPerChunk),
      how: "`upload.getFile` at the sandbox",
    },
    {
      what: "CPU of GramJS",
      unit: "CPU ms/MiB",
      value: over(({ bare }) => (bare.cpuSeconds * 1000) / fileMiB),
      how: "platform connection and consumer in one process",
    },
  ];
}
