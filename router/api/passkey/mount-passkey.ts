import { fileURLToPath } from "node:url";
import type { RoutePort } from "../../endpoint/mount.js";
import { mountStatic } from "../../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile, type StaticFiles } from "../../endpoint/static/static-file.js";

/**
 * Registers the public page for the owner of an account linked by passkey, and the source of its extension. The attempt's credentials
 * stand after `#` in the address. `endpoint`: the path of its state.
 */
export function mountPasskey(app: RoutePort, endpoint: string): void {
  const settings = staticFile("settings.json", Buffer.from(JSON.stringify({ endpoint })));
  const files: StaticFiles = readStaticFiles(fileURLToPath(new URL("./page", import.meta.url)));
  mountStatic(app, "/passkey", "passkey", new Map([...files, ["settings.json", settings]]));
}
