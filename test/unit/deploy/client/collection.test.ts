import { join, resolve } from "node:path";
import { expect, it } from "vitest";

interface Collection {
  readonly variable: unknown;
  readonly item: readonly { readonly name: string; readonly item: readonly { readonly request: object }[] }[];
}

const root = resolve(import.meta.dirname, "../../../..");
const { collectionOf } = (await import(join(root, "deploy/client/collection.mjs"))) as {
  collectionOf: (document: object, baseUrl: string) => Collection;
};

const name = { name: "x-request-id", in: "header", required: false, example: "order-1", description: "A name" };
const operation = {
  tags: ["Messages"],
  summary: "Send a message",
  description: "Sends it.",
  security: [
    { sessionId: [], sessionSecret: [] },
    { sessionId: [], apiKey: [] },
  ],
  parameters: [
    { $ref: "#/components/parameters/Name" },
    { name: "channelId", in: "path", required: true, example: "-100" },
    { name: "limit", in: "query", required: false, schema: { type: "integer", default: 50 } },
    { name: "q", in: "query", required: true, example: "a b" },
  ],
  requestBody: {
    content: { "application/json": { examples: { text: { value: { type: "text" } }, image: { value: { type: "image" } } } } },
  },
};
const document = {
  info: { title: "Trunkline", version: "1", description: "All of it" },
  tags: [{ name: "Messages", description: "What goes out" }, { name: "Nothing" }],
  paths: {
    "/telegram/channel/{channelId}": { post: operation },
    "/open": { get: { ...operation, security: undefined, requestBody: undefined } },
  },
  components: {
    parameters: { Name: name },
    securitySchemes: { sessionId: { name: "id" }, sessionSecret: { name: "session-id" }, apiKey: { name: "x-api-key" } },
  },
};

it("has each call in the folder of its tag, ready to be sent, without a secret", () => {
  const { variable, item } = collectionOf(document, "http://gateway");
  expect(variable).toEqual([
    { key: "baseUrl", value: "http://gateway" },
    ...["id", "sessionId", "apiKey"].map((key) => ({ key, value: "" })),
  ]);
  expect(item.map((folder) => [folder.name, folder.item.length])).toEqual([["Messages", 2]]);
  expect(item[0]?.item[0]?.request).toEqual({
    method: "POST",
    description: "Sends it.",
    header: [
      { key: "id", value: "{{id}}" },
      { key: "session-id", value: "{{sessionId}}" },
      { key: "content-type", value: "application/json" },
      { key: "x-request-id", value: "order-1", description: "A name", disabled: true },
    ],
    url: {
      raw: "{{baseUrl}}/telegram/channel/:channelId",
      host: ["{{baseUrl}}"],
      path: ["telegram", "channel", ":channelId"],
      query: [
        { key: "limit", value: "50", disabled: true },
        { key: "q", value: "a b" },
      ],
      variable: [{ key: "channelId", value: "-100" }],
    },
    body: { mode: "raw", raw: '{\n  "type": "text"\n}', options: { raw: { language: "json" } } },
  });
  expect(item[0]?.item[1]?.request).not.toHaveProperty("body");
});
