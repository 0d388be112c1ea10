import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientTypes } from "../client/client-types.mjs";
import { setupOrExit } from "../setup.mjs";
import { root } from "../setup/step.mjs";

await setupOrExit();
// `npm run client`: generates the client's types from the API document of the build.
const { openApiDocument } = await import(join(root, "dist/router/openapi/document.js"));
const options = JSON.parse(readFileSync(join(root, ".config/prettier.json"), "utf8"));
writeFileSync(join(root, "deploy/client/schema.ts"), await clientTypes(openApiDocument(), options));
