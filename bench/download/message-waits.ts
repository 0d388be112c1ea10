import type { Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { coldFiles } from "./cold-files.js";
import type { Downloader } from "./downloader.js";

export interface MessageWaitsPlan {
  readonly gateway: Gateway;
  readonly load: LoadGenerator;
  /** Alice's session, which sends and downloads. */
  readonly caller: Caller;
  readonly downloads: Downloader;
  readonly rounds: number;
  /** Size of a downloaded file. */
  readonly fileBytes: number;
}

/** Measures the latency of `POST /message` with and without downloads of uncached files by the same session, in alternation. */
export async function messageWaits({ gateway, load, caller, downloads, rounds, fileBytes }: MessageWaitsPlan): Promise<Figure[]> {
  const base = new URL(gateway.telegram[0] ?? "");
  const { id, sessionId } = caller.credentials;
  const message = {
    path: `${base.pathname}/message`,
    headers: { id, "session-id": sessionId, "content-type": "application/json" },
    body: JSON.stringify({ username: "bob_sandbox", type: "text", text: "Hello" }),
  };
  const written = async (): Promise<readonly number[]> =>
    (await load.run({ origin: base.origin, connections: 1, seconds, lanes: [[message]], keepLatencies: true })).latencies ?? [];
  const files = await coldFiles(gateway, caller, rounds * filesPerRound, fileBytes);
  const [alone, beside]: [number[], number[]] = [[], []];
  await written();
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await written()));
    const lane = files.slice(round * filesPerRound, (round + 1) * filesPerRound).map(({ url }) => ({ url }));
    const downloading = downloads.run({ lanes: [lane] });
    beside.push(...(await written()));
    await downloading;
  }
  return [
    { what: "POST /message, nothing beside it", unit: "ms", value: { samples: alone }, how: "one message after the other" },
    {
      what: "POST /message beside a cold download of the same session",
      unit: "ms",
      value: { samples: beside },
      how: "likewise, in turns; all processes share the machine's cores with the download",
    },
  ];
}

const seconds = 3;
/** More files than can be read in that time. */
const filesPerRound = 4;
