import { readFileSync } from "node:fs";

/** Where the sandbox's WhatsApp is, and what its certificates hang on; nothing on the live platform. */
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
