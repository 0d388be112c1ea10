import { join, resolve } from "node:path";
import { expect, it } from "vitest";

interface Item {
  readonly name: string;
  readonly request: object;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

interface Collection {
  readonly variable: unknown;
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
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
    ...["id", "sessionId", "apiKey", "groupId", "channelId"].map((key) => ({ key, value: "" })),
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
      raw: "{{baseUrl}}/telegram/channel/:channelId?q=a b",
      host: ["{{baseUrl}}"],
      path: ["telegram", "channel", ":channelId"],
      query: [
        { key: "limit", value: "50", disabled: true },
        { key: "q", value: "a b" },
      ],
      variable: [{ key: "channelId", value: "{{channelId}}" }],
    },
    body: { mode: "raw", raw: '{\n  "type": "text"\n}', options: { raw: { language: "json" } } },
  });
  expect(item[0]?.item[1]?.request).not.toHaveProperty("body");
});

it("takes what later requests need out of the answers before them", () => {
  const created = {
    ...operation,
    parameters: [],
    responses: { "201": { content: { "application/json": { examples: { done: { value: { id: "6b01" } } } } } } },
  };
  const listed = { ...operation, parameters: [], requestBody: undefined };
  const bulk = { ...operation, parameters: [{ name: "id", in: "path", required: true, example: "6b01" }] };
  const paths = {
    "/telegram/session": { post: created },
    "/telegram/group": { get: listed },
    "/admin/sessions/{id}": { post: { ...bulk, requestBody: { content: { "application/json": { example: { ids: ["6b01"] } } } } } },
    "/admin/session": { post: created, delete: { ...listed, summary: "Forget it" } },
    "/admin/last": { get: listed },
  };
  const items = collectionOf({ ...document, paths }, "http://gateway").item[0]?.item ?? [];
  const scripts = items.map(({ event = [] }) => event.flatMap(({ script }) => script.exec).join("\n"));
  expect(scripts[0]).toContain('pm.collectionVariables.set("sessionId", answer.sessionId);');
  expect(scripts[1]).toContain('pm.collectionVariables.set("groupId", answer.docs[0].id);');
  expect(scripts.slice(2)).toEqual(["", "", "", ""]);
  expect(items.at(-1)?.name).toBe("Forget it");
  expect(items[2]?.request).toMatchObject({
    url: { variable: [{ key: "id", value: "{{id}}" }] },
    body: { raw: '{\n  "ids": [\n    "{{id}}"\n  ]\n}' },
  });
});
