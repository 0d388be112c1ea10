import { readFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import { LinkKeys } from "../../shared/media/link.js";
import { SealedLinks } from "../../shared/media/sealed-links.js";
import type { Gateway } from "../../test/harness/gateway.js";

/** Returns links as the gateway seals them for received WhatsApp files. */
export async function sealedLinksOf({ dataDir }: Gateway): Promise<SealedLinks> {
  const { mediaKeys } = isSecrets(JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8")));
  return new SealedLinks(LinkKeys.parse(mediaKeys));
}

const isSecrets = typia.createAssert<{ mediaKeys: string }>();
