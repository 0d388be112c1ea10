import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { openApiDocument } from "../../../../router/openapi/document.js";

const root = resolve(import.meta.dirname, "../../../..");
const { clientTypes } = (await import(join(root, "deploy/client/client-types.mjs"))) as {
  clientTypes: (document: object, options: object) => Promise<string>;
};
const { collectionOf } = (await import(join(root, "deploy/client/collection.mjs"))) as {
  collectionOf: (document: object, baseUrl: string) => { item: { item: { name: string }[] }[] };
};

it("the client's types are those of the document: `npm run client` writes them", async () => {
  const options: object = JSON.parse(readFileSync(join(root, ".config/prettier.json"), "utf8"));
  expect(readFileSync(join(root, "deploy/client/schema.ts"), "utf8")).toBe(await clientTypes(openApiDocument(), options));
});

it("the collection has every call of the document once, but for what every path has", () => {
  const { paths } = openApiDocument();
  const calls = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ summary, tags }) => (tags.includes("Other methods") ? [] : [summary])),
  );
  const names = collectionOf(openApiDocument(), "http://x").item.flatMap(({ item }) => item.map(({ name }) => name));
  expect(names.sort()).toEqual(calls.sort());
});
