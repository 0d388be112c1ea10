import { readFileSync } from "node:fs";
import type { DcAddress } from "./network/open-sender.js";

/** Reads the addresses and public keys of the sandbox's data centres; empty on the live platform. */
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
