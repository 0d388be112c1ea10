import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSharedSandbox } from "../../supervisor/sandbox-access.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { ArchiveHead } from "./archive-form.js";

/** What tells the sandbox that these logins are of from every other; undefined on the live platforms. */
export async function sandboxOf(redis: RedisClient): Promise<string | undefined> {
  const shared = await readSharedSandbox(redis);
  return shared === null ? undefined : worldOf(shared.mediaCa);
}

/** One sentence where the data folder holds another sandbox than the archive's, or none; undefined otherwise. */
export function otherSandbox({ sandbox }: Pick<ArchiveHead, "sandbox">, dataDir: string): string | undefined {
  if (sandbox === undefined) return undefined;
  const folder = join(dataDir, "sandbox");
  // A host that joined a cluster has the other folder, with what the cluster's sandbox shows of itself.
  const certificates = [folder, join(dataDir, "joined-sandbox")].map((one) => join(one, "whatsapp-media-ca.pem"));
  if (certificates.some((path) => existsSync(path) && worldOf(readFileSync(path, "utf8")) === sandbox)) return undefined;
  return `These logins belong to a sandbox that is not in ${folder}. Copy the sandbox folder of the backed-up gateway there before the next start, or all sessions are logged out.`;
}

/** Each sandbox makes a certificate of its own. */
function worldOf(certificate: string): string {
  return createHash("sha256").update(certificate).digest("hex").slice(0, 16);
}
