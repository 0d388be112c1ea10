import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { collectionOf } from "./client/collection.mjs";
import { setupOrExit } from "./setup.mjs";
import { root } from "./setup/step.mjs";

// `npm run collection [-- file [base address]]`: every call of the API as a request to try, for Postman, Bruno and others.
const [file = join(root, "trunkline.postman_collection.json"), baseUrl = "http://127.0.0.1:8080"] = process.argv.slice(2);
await setupOrExit();
const { openApiDocument } = await import(join(root, "dist/router/openapi/document.js"));
writeFileSync(resolve(file), `${JSON.stringify(collectionOf(openApiDocument(), baseUrl), undefined, 2)}\n`);
console.log(`${resolve(file)}: import it, and fill in its variables id, sessionId and apiKey`);
