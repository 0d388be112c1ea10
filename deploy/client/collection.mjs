/**
 * The API's document as a collection of requests to try (Postman's format 2.1, which Bruno, Insomnia and Hoppscotch read too). Who asks stands in variables, so that no secret is in a
 * request. What is not required is there and switched off.
 */
export function collectionOf(document, baseUrl) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes(otherMethods))
      .map(([method, operation]) => ({ path, method, operation })),
  );
  // A folder can be sent as a whole: what takes something away comes last.
  calls.sort((one, other) => Number(one.method === "delete") - Number(other.method === "delete"));
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [{ key: "baseUrl", value: baseUrl }, ...[...Object.keys(variables), ...found].map((key) => ({ key, value: "" }))],
    item: document.tags
      .map(({ name, description }) => ({
        name,
        description,
        item: calls.filter(({ operation }) => operation.tags.includes(name)).map((call) => itemOf(document, call)),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

/** What every path has, and nobody tries by hand. */
const otherMethods = "Other methods";

/** Of a collection, with the header that each is sent in. */
const variables = { id: "id", sessionId: "session-id", apiKey: "x-api-key" };

/** What a list of chats fills in for the calls behind it. */
const found = ["groupId", "channelId"];

/** What an answer fills in, by the end of its path: so that one request can be sent after the other as they stand. */
const filled = {
  "POST /session": ['pm.collectionVariables.set("id", answer.id);', 'pm.collectionVariables.set("sessionId", answer.sessionId);'],
  "GET /group": ['if (answer.docs.length > 0) pm.collectionVariables.set("groupId", answer.docs[0].id);'],
  "GET /channel": ['if (answer.docs.length > 0) pm.collectionVariables.set("channelId", answer.docs[0].id);'],
};

function eventOf(path, method) {
  const lines = filled[`${method.toUpperCase()} ${path.replace(/^\/\w+/, "")}`];
  if (lines === undefined || path.startsWith("/admin/")) return {};
  const exec = ["if (pm.response.code < 300) {", "  const answer = pm.response.json();", ...lines.map((line) => `  ${line}`), "}"];
  return { event: [{ listen: "test", script: { type: "text/javascript", exec } }] };
}

function itemOf(document, { path, method, operation }) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const body = bodyOf(operation);
  const ofSession = sessionIn(document);
  const valueOf = ({ name, example, schema }) =>
    found.includes(name) ? `{{${name}}}` : textOf(example ?? schema?.default).replaceAll(ofSession, "{{id}}");
  const line = (parameter) => ({
    key: parameter.name,
    value: valueOf(parameter),
    description: parameter.description,
    ...(parameter.required === true ? {} : { disabled: true }),
  });
  const of = (place) => parameters.filter((parameter) => parameter.in === place);
  const query = of("query").map(line);
  const asked = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`);
  return {
    name: operation.summary,
    ...eventOf(path, method),
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: [
        ...credentialsOf(document, operation),
        ...(body === undefined ? [] : [{ key: "content-type", value: "application/json" }]),
        ...of("header").map(line),
      ],
      url: {
        // Bruno sends what stands here.
        raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ":$1")}${asked.length === 0 ? "" : `?${asked.join("&")}`}`,
        host: ["{{baseUrl}}"],
        path: path
          .slice(1)
          .split("/")
          .map((part) => part.replace(/\{(\w+)\}/g, ":$1")),
        query,
        variable: of("path").map((parameter) => ({ key: parameter.name, value: valueOf(parameter), description: parameter.description })),
      },
      ...(body === undefined
        ? {}
        : {
            body: {
              mode: "raw",
              raw: JSON.stringify(body, undefined, 2).replaceAll(ofSession, "{{id}}"),
              options: { raw: { language: "json" } },
            },
          }),
    },
  };
}

/** Of the first way in which a caller may say who it is. */
function credentialsOf(document, { security }) {
  const schemes = Object.keys(security?.[0] ?? {}).map((name) => document.components.securitySchemes[name].name);
  return Object.entries(variables)
    .filter(([, header]) => schemes.includes(header))
    .map(([key, header]) => ({ key: header, value: `{{${key}}}` }));
}

/** The first example; where there are several, the others are in the document. */
function bodyOf({ requestBody }) {
  const content = requestBody?.content["application/json"];
  if (content === undefined) return undefined;
  return content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {};
}

function resolved(document, { $ref, ...parameter }) {
  return $ref === undefined ? parameter : document.components.parameters[$ref.split("/").at(-1)];
}

/** The id that the document's examples name. */
function sessionIn({ paths }) {
  const [created] = Object.entries(paths).flatMap(([path, { post }]) => (path.endsWith("/session") && post !== undefined ? [post] : []));
  const [example] = Object.values(created?.responses["201"]?.content["application/json"].examples ?? {});
  return example?.value.id ?? noSession;
}

/** A text that stands nowhere. */
const noSession = "\u0000";

const textOf = (value) => (value === undefined ? "" : String(value));
