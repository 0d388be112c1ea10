import { fileURLToPath } from "node:url";
import type { Platform } from "../../shared/contract/platform.js";
import type { RoutePort } from "../endpoint/mount.js";
import { mountStatic } from "../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile, type StaticFiles } from "../endpoint/static/static-file.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { CallParts } from "./mount-call.js";
import { mountSandboxProxy } from "./sandbox-proxy.js";
import { mountTraffic } from "./traffic.js";

export interface ConsoleParts extends CallParts {
  readonly app: RoutePort;
  readonly redis: RedisClient;
  /** Path prefix of each variant. */
  readonly prefixes: Readonly<Record<Platform, string>>;
  /** Address of the sandbox's control API; `undefined` on live platforms. */
  readonly sandbox: string | undefined;
}

const path = "/console";

/** Puts the console on the app: its files for everybody, the traffic for admins, and on the sandbox the few calls that play a phone. */
export function createConsole({ app, redis, prefixes, sandbox, ...parts }: ConsoleParts): void {
  const settings = Buffer.from(JSON.stringify({ prefixes, sandbox: sandbox === undefined ? null : { files: `${sandbox}/files/` } }));
  const built: StaticFiles = readStaticFiles(fileURLToPath(new URL("./files", import.meta.url)));
  mountStatic(app, path, "console", new Map([...built, ["settings.json", staticFile("settings.json", settings)]]));
  mountTraffic(app, `${path}/traffic`, redis, parts);
  if (sandbox !== undefined) mountSandboxProxy(app, `${path}/sandbox`, sandbox, parts);
}
