import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adminRoutes, signInRoute } from "../../../../router/admin/admin-routes.js";
import type { MediaType } from "../../../../router/openapi/document-types.js";
import { defaultPrefixes, openApiDocument } from "../../../../router/openapi/document.js";
import { errorCodes, errorHeaders } from "../../../../router/http/error-code.js";
import { exposedHeaders, requestHeaders } from "../../../../router/http/cors.js";
import { errorTexts } from "../../../../router/openapi/error-responses.js";
import { fieldSentences } from "../../../../router/openapi/errors/field-sentences.js";
import { nameIn } from "../../../../router/openapi/json-schema.js";
import { ownRoutes } from "../../../../router/api/session-routes.js";
import { routes as telegramRoutes } from "../../../../router/telegram/routes.js";
import { passkeyRoutes, routes as whatsappRoutes } from "../../../../router/whatsapp/routes.js";
import { schemaChecker } from "../../../harness/schema-checker.js";
import { filesOf } from "../../../source-imports.js";

const document = openApiDocument(defaultPrefixes);
const text = JSON.stringify(document);
const operations = [...Object.entries(document.paths), ...Object.entries(document.webhooks)].flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
);
/** Files in which each error has its own function. */
const ofErrors = /^(router\/http|shared\/contract(\/\w+)?)\/errors\.ts$/;
const told = (prefix: string, rows: Readonly<Record<string, { readonly route: string }>>): string[] =>
  Object.values(rows).map(({ route }) => route.replace(" ", ` ${prefix}`).replace(/:(\w+)/g, "{$1}"));

describe("the document", () => {
  it("has every route of the tables and the media links, and leaves `HEAD` and `OPTIONS` out", () => {
    const media = "media/{platformId}/{chatId}/{messageId}/{variant}/{signature}.{ext}";
    const calls = [
      ...told("/whatsapp", { ...ownRoutes, ...passkeyRoutes, ...whatsappRoutes }),
      ...told("/telegram", { ...ownRoutes, ...telegramRoutes }),
      ...told("", adminRoutes),
      signInRoute,
      `GET /whatsapp/${media}`,
      `GET /telegram/${media}`,
    ];
    const paths = operations.filter(({ route }) => route.includes(" /")).map(({ route }) => route);
    expect(paths.sort()).toEqual(calls.sort());
  });
  it("misses no place that puts routes on the app", () => {
    const mounting = filesOf("router").filter((file) => /\b(app\.route|mount\.handle|mount\.endpoints)\(/.test(readFileSync(file, "utf8")));
    expect(mounting).toEqual([
      "router/admin/admin-api.ts",
      "router/admin/sign-in.ts",
      // The console's own calls are no part of the API.
      "router/console/mount-call.ts",
      "router/endpoint/mount.ts",
      "router/telegram/telegram-api.ts",
      "router/whatsapp/serve-media.ts",
      "router/whatsapp/whatsapp-api.ts",
      // These serve pages and this document.
      "router/endpoint/static/mount-entry.ts",
      "router/endpoint/static/mount-static.ts",
    ]);
  });
  it("has every sentence, each with what makes it be said", () => {
    const missing = errorTexts.filter(({ error }) => !text.includes(JSON.stringify(error.message).slice(1, -1)));
    expect(missing.map(({ error }) => error.message)).toEqual([]);
    expect(errorTexts.filter(({ when }) => !/^[A-Z0-9`"].*\.$/s.test(when)).map(({ when }) => when)).toEqual([]);
    for (const sentence of Object.values(fieldSentences)) expect(document.info.description).toContain(sentence);
  });
  it("knows every sentence that the code says outside of the files of errors", () => {
    const known = new Set(errorTexts.map(({ error }) => `${error.status} ${error.message}`));
    const said = ["router", "shard", "shared"]
      .flatMap((folder) => filesOf(folder))
      .filter((file) => !ofErrors.test(file))
      .flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/(?:new ApiError|jsonError)\(\s*(\d+),\s*(["`])(.*?)\2/g)].map(
          ([, status = "", , sentence = ""]) => `${status} ${sentence}`,
        ),
      );
    expect(said.length).toBeGreaterThan(0);
    // A message that joins several documented ones needs no entry.
    expect(said.filter((sentence) => !known.has(sentence) && !sentence.includes("${error.message}"))).toEqual([]);
  });
  it("misses no sentence that is made elsewhere than in the files of errors", () => {
    const made = ["router", "shard", "shared"]
      .flatMap((folder) => filesOf(folder))
      .filter((file) => !ofErrors.test(file))
      .flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/new ApiError\(\s*([^,]+),/g)].flatMap(([, status = ""]) =>
          status === "400" ? [] : [file],
        ),
      );
    // The message of a 400 joins the rules' messages. Here the router passes on a shard's message.
    expect(made).toEqual(["router/bus/open-outcome.ts"]);
  });
  it("gives each call a name, a group that is described, and a sentence", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const groups = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(groups).toContain(operation.tags[0]);
      expect(operation.description.length).toBeGreaterThan(10);
    }
  });
  it("requires a body wherever an empty one is rejected", () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false).map(({ route }) => route);
    expect(optional).toEqual(["POST /whatsapp/session", "POST /telegram/session", "PATCH /admin/tenants/{name}", "PATCH /admin/keys/{id}"]);
  });
  it("describes each line of responses of JSON lines", () => {
    const lines = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content = {} }) => content["application/x-ndjson"]?.schema.oneOf ?? []),
    );
    expect(lines.map(nameIn)).toEqual(["BulkResult", "Error", "SessionRow", "Error"]);
  });
  it("lists every status of a response on its own", () => {
    const ranges = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => Object.keys(responses).flatMap((status) => (/^\d{3}$/.test(status) ? [] : [path]))),
    );
    expect(ranges).toEqual([]);
  });
  it("says of each field and parameter what it means", () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { description }]) => (description === undefined ? [`${name}.${field}`] : [])),
    );
    expect(undescribed).toEqual([]);
    const parameters = operations.flatMap(({ route, operation }) =>
      (operation.parameters ?? []).flatMap((one) => ("name" in one && one.description === "" ? [`${route} ${one.name}`] : [])),
    );
    expect(parameters).toEqual([]);
  });
  it("shows an example of each field that is a text, a number or a truth value", () => {
    const isPlain = (type: unknown): boolean =>
      [type].flat().some((one) => ["string", "number", "integer", "boolean"].includes(String(one)));
    const without = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, schema]) => {
        const { type, examples, const: fixed } = { ...document.components.schemas[nameIn(schema) ?? ""], ...schema };
        return isPlain(type) && examples === undefined && fixed === undefined ? [`${name}.${field}`] : [];
      }),
    );
    expect(without).toEqual([]);
  });
});

describe("headers", () => {
  /** Headers that every page may read, that only browsers and caches read, or that depend on the page's origin. */
  const ofNoPage = /^(cache-control|vary|x-accel-buffering|x-content-type-options|content-security-policy|content-type|access-control-.*)$/;
  it("describes the response headers that pages of other origins may read", () => {
    const described = operations
      .flatMap(({ operation }) => Object.values(operation.responses))
      .flatMap((answer) => Object.keys(answer.headers ?? {}))
      .map((name) => name.toLowerCase());
    // Responses to `HEAD`, `OPTIONS` and unknown methods are not in the document.
    const ofOtherMethods = ["allow", "content-length"];
    expect([...new Set(described), ...ofOtherMethods].filter((name) => !ofNoPage.test(name)).sort()).toEqual([...exposedHeaders].sort());
  });
  it("of requests that it describes are those that pages of other origins may send", () => {
    const { parameters, securitySchemes } = document.components;
    const named = operations
      .filter(({ route }) => route.includes(" /"))
      .flatMap(({ operation }) => (operation.parameters ?? []).flatMap((one) => ("in" in one ? one : [])));
    const schemes = Object.values(securitySchemes) as { name: string }[];
    const described = [...Object.values(parameters), ...named].filter((one) => one.in === "header").map((one) => one.name.toLowerCase());
    const sent = new Set([...described, ...schemes.map(({ name }) => name), "content-type"]);
    expect([...sent].sort()).toEqual([...requestHeaders].sort());
  });
  it("say which error it is: every code that there is, and no other", () => {
    expect(document.components.headers["ErrorCode"]?.schema.enum).toEqual(errorCodes);
    const said = new Set(errorTexts.map(({ error }) => errorHeaders(error.status, error.message)["x-error-code"]));
    expect(errorCodes.filter((code) => !said.has(code))).toEqual([]);
  });
});

describe("examples", () => {
  const faultsIn = schemaChecker(document);
  const check = (content: Readonly<Record<string, MediaType>> = {}): string[] =>
    Object.values(content).flatMap(({ schema, examples = {} }) =>
      Object.values(examples).flatMap((example) => ("value" in example ? faultsIn(schema, example.value) : [])),
    );
  it.each(operations.map(({ route, operation }) => [route, operation] as const))(
    "of %s have the form that the document says",
    (_, operation) => {
      expect(check(operation.requestBody?.content)).toEqual([]);
      for (const answer of Object.values(operation.responses)) expect(check(answer.content)).toEqual([]);
    },
  );
  it("of errors have the one form", () => {
    const { schemas, examples } = document.components;
    for (const { value } of Object.values(examples)) expect(faultsIn(schemas["Error"] ?? {}, value)).toEqual([]);
  });
  it("of another form are found out", () => {
    expect(faultsIn({ $ref: "#/components/schemas/SessionReference" }, { id: 7 })).toEqual(["/id must be string"]);
  });
});
