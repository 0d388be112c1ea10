import { fileURLToPath } from "node:url";
import type { RoutePort } from "../endpoint/mount.js";
import { mountStatic } from "../static/mount-static.js";
import { readStaticFiles, staticFile, type StaticFiles } from "../static/static-file.js";
import { passkeyRoutes } from "../whatsapp/routes.js";

/**
 * The page for the owner of an account that is linked by its passkey, and the source of the extension below it: for everybody, since they hold no secret. Whose linking it is stands behind `#` of the address
 * that its operator gives that person. `prefix`: in front of the paths of WhatsApp.
 */
export function mountPasskey(app: RoutePort, prefix: string): void {
  const [, path = ""] = passkeyRoutes["get-passkey"].route.split(" ");
  const settings = staticFile("settings.json", Buffer.from(JSON.stringify({ endpoint: `${prefix}${path}` })));
  const files: StaticFiles = readStaticFiles(fileURLToPath(new URL("./page", import.meta.url)));
  mountStatic(app, "/passkey", "passkey", new Map([...files, ["settings.json", settings]]));
}
