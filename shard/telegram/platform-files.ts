import { readFileSync } from "node:fs";
import type { DcAddress } from "./network/open-sender.js";

/** Where the sandbox's data centres are, and under which key they answer; nothing on the live platform. */
export function readPlatformFiles({
  dcMap,
  serverKeysPath,
}: {
  readonly dcMap: ReadonlyMap<string, string>;
  readonly serverKeysPath: string | undefined;
}): { startDc?: DcAddress; serverKeys: string[] } {
  const [firstAddress] = dcMap.keys();
  return {
    serverKeys: serverKeysPath === undefined ? [] : [readFileSync(serverKeysPath, "utf8")],
    ...(firstAddress === undefined ? {} : { startDc: { dcId: 1, address: firstAddress } }),
  };
}
