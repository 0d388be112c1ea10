import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../../router/openapi/document.js";

const root = resolve(import.meta.dirname, "../../../..");
const { clientTypes } = (await import(join(root, "deploy/client/client-types.mjs"))) as {
  clientTypes: (document: object, options: object) => Promise<string>;
};

it("the client's types are those of the document: `npm run client` writes them", async () => {
  const options: object = JSON.parse(readFileSync(join(root, ".config/prettier.json"), "utf8"));
  expect(readFileSync(join(root, "deploy/client/schema.ts"), "utf8")).toBe(await clientTypes(openApiDocument(), options));
});
