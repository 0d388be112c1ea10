import { fileURLToPath } from "node:url";
import type { RoutePort } from "../../endpoint/mount.js";
import { mountStatic } from "../../endpoint/static/mount-static.js";
import { readStaticFiles, staticFile, type StaticFiles } from "../../endpoint/static/static-file.js";

/**
 * The page for the owner of an account that is linked by its passkey, and the source of the extension below it: for everybody, since they hold no secret. Whose linking it is stands behind `#` of the address
 * that its operator gives that person. `endpoint`: the path that its state is read from.
 */
export function mountPasskey(app: RoutePort, endpoint: string): void {
  const settings = staticFile("settings.json", Buffer.from(JSON.stringify({ endpoint })));
  const files: StaticFiles = readStaticFiles(fileURLToPath(new URL("./page", import.meta.url)));
  mountStatic(app, "/passkey", "passkey", new Map([...files, ["settings.json", settings]]));
}
