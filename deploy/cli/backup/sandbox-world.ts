import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSharedSandbox } from "../../supervisor/sandbox-access.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { ArchiveHead } from "./archive-form.js";

/** Returns the fingerprint of the sandbox that the logins belong to; undefined on the live platforms. */
export async function sandboxOf(redis: RedisClient): Promise<string | undefined> {
  const shared = await readSharedSandbox(redis);
  return shared === null ? undefined : worldOf(shared.mediaCa);
}

/** Returns one sentence if the data folder lacks the sandbox of the archive, otherwise undefined. */
export function otherSandbox({ sandbox }: Pick<ArchiveHead, "sandbox">, dataDir: string): string | undefined {
  if (sandbox === undefined) return undefined;
  const folder = join(dataDir, "sandbox");
  // A host that joined a cluster keeps the public part of the cluster's sandbox in the second folder.
  const certificates = [folder, join(dataDir, "joined-sandbox")].map((one) => join(one, "whatsapp-media-ca.pem"));
  if (certificates.some((path) => existsSync(path) && worldOf(readFileSync(path, "utf8")) === sandbox)) return undefined;
  return `These logins belong to a sandbox that is not in ${folder}. Copy the sandbox folder of the backed-up gateway there before the next start, or all sessions are logged out.`;
}

/** Each sandbox creates a certificate of its own, so the certificate identifies it. */
function worldOf(certificate: string): string {
  return createHash("sha256").update(certificate).digest("hex").slice(0, 16);
}
