import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { SandboxPlatforms } from "./supervised-message.js";

/** Addresses at which shards and routers reach the sandbox; `control` is absent for a host's own sandbox. */
export interface SandboxAccess extends SandboxPlatforms {
  /** Base URL of its control API. */
  readonly control?: string;
}

/** Sandbox data for hosts that join, with the contents of its files: public keys and a certificate. */
export interface SharedSandbox {
  control: string;
  dcMap: string;
  publicKey: string;
  whatsappUrl: string;
  rootKey: string;
  mediaCa: string;
  mediaHost?: string;
}

const fileNames = { publicKey: "telegram-public.pem", rootKey: "whatsapp-root-key", mediaCa: "whatsapp-media-ca.pem" } as const;

/** Stores the sandbox's data in Redis for hosts that join. */
export async function shareSandbox(redis: RedisClient, control: string, { telegram, whatsapp }: SandboxPlatforms): Promise<void> {
  if (telegram === undefined || whatsapp === undefined) return;
  const read = (path: string): string => readFileSync(path, "utf8");
  const shared: SharedSandbox = {
    control,
    dcMap: telegram.dcMap,
    publicKey: read(telegram.publicKeyPath),
    whatsappUrl: whatsapp.url,
    rootKey: read(whatsapp.rootKeyPath),
    mediaCa: read(whatsapp.mediaCaPath),
    ...(whatsapp.mediaHost === undefined ? {} : { mediaHost: whatsapp.mediaHost }),
  };
  await redis.set(keys.sandbox, JSON.stringify(shared));
}

/** Returns `null` if no host of the cluster has ever run a sandbox. */
export async function readSharedSandbox(redis: RedisClient): Promise<SharedSandbox | null> {
  return parse((await redis.get(keys.sandbox)) ?? "null");
}

/** Writes the sandbox's files into the data folder. Rejects with a sentence if no host of the cluster has ever run a sandbox. */
export async function joinSandbox(redis: RedisClient, dataDir: string): Promise<SandboxAccess> {
  const shared = await readSharedSandbox(redis);
  if (shared === null)
    throw new Error("no host of this cluster runs a sandbox that could be joined: start with PLATFORMS=live, as its other hosts do");
  const folder = join(dataDir, "joined-sandbox");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: keyof typeof fileNames): string => {
    const path = join(folder, fileNames[name]);
    writeFileSync(path, shared[name]);
    return path;
  };
  return {
    control: shared.control,
    telegram: { dcMap: shared.dcMap, publicKeyPath: write("publicKey") },
    whatsapp: {
      url: shared.whatsappUrl,
      rootKeyPath: write("rootKey"),
      mediaCaPath: write("mediaCa"),
      ...(shared.mediaHost === undefined ? {} : { mediaHost: shared.mediaHost }),
    },
  };
}

const parse = typia.json.createIsParse<SharedSandbox>();
