import { readFileSync } from "node:fs";

/**
 * Reads the settings of the sandbox's WhatsApp: its address, root key and certificate authority. Returns an empty object on the live
 * platform.
 */
export function readPlatformFiles({
  url,
  rootKeyPath,
  mediaCaPath,
}: {
  readonly url: string | undefined;
  readonly rootKeyPath: string | undefined;
  readonly mediaCaPath: string | undefined;
}): { url?: string; rootKey?: Buffer; mediaCa?: string } {
  return {
    ...(url === undefined ? {} : { url }),
    ...(rootKeyPath === undefined ? {} : { rootKey: readFileSync(rootKeyPath) }),
    ...(mediaCaPath === undefined ? {} : { mediaCa: readFileSync(mediaCaPath, "utf8") }),
  };
}
