import { fileURLToPath } from "node:url";
import type { Platform } from "../../shared/contract/platform.js";
import type { RoutePort } from "../endpoint/mount.js";
import type { CatchParts } from "../endpoint/serve.js";
import { mountStatic } from "../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile, type StaticFiles } from "../endpoint/static/static-file.js";
import type { KeyPort } from "../tenant/principal.js";
import { mountSandboxProxy } from "./sandbox-proxy.js";

export interface ConsoleParts extends CatchParts {
  readonly app: RoutePort;
  readonly keys: KeyPort;
  /** Path prefix of each variant. */
  readonly prefixes: Readonly<Record<Platform, string>>;
  /** Address of the sandbox's control API; `undefined` on live platforms. */
  readonly sandbox: string | undefined;
}

const path = "/console";

/** Puts the console on the app: its files for everybody, and on the sandbox the few calls that play a phone. */
export function createConsole({ app, prefixes, sandbox, ...parts }: ConsoleParts): void {
  const settings = Buffer.from(JSON.stringify({ prefixes, sandbox: sandbox === undefined ? null : { files: `${sandbox}/files/` } }));
  const built: StaticFiles = readStaticFiles(fileURLToPath(new URL("./files", import.meta.url)));
  mountStatic(app, path, "console", new Map([...built, ["settings.json", staticFile("settings.json", settings)]]));
  if (sandbox !== undefined) mountSandboxProxy(app, `${path}/sandbox`, sandbox, parts);
}
