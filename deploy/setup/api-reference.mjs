import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, fingerprint, readStamp } from "./fingerprint.mjs";
import { holdsFiles, keepFiles } from "./made-files.mjs";
import { root, step } from "./step.mjs";
import { writeWebFiles } from "./web-files.mjs";

const sources = "router/openapi/page";
const library = "node_modules/swagger-ui-dist";
const built = "dist/router/openapi/files";
const home = join(root, "dist/router/openapi");
const stamp = "dist/router/openapi/.setup-stamp";

/** Builds the page of the API reference with Swagger UI. Skipped if no source changed and all its files exist in dist/. */
export async function writeApiReference() {
  const wanted = fingerprint([
    "package-lock.json",
    "deploy/setup/api-reference.mjs",
    "deploy/setup/web-files.mjs",
    ...filesBelow([sources]),
  ]);
  if (readStamp(stamp) === wanted && holdsFiles(home)) return;
  await step("writing the API's reference", "API's reference written", async () => {
    const [fresh, target] = [join(root, `${built}.new`), join(root, built)];
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    const files = [
      [sources, "index.html"],
      [sources, "start.js"],
      [sources, "phone.css"],
      [library, "swagger-ui-bundle.js"],
      [library, "swagger-ui.css"],
    ].map(([folder, path]) => ({ path, bytes: readFileSync(join(root, folder, path)) }));
    writeWebFiles(fresh, files);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    keepFiles(home, ["files"]);
    writeFileSync(join(root, stamp), wanted);
  });
}
