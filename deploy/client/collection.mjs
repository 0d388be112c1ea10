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
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [{ key: "baseUrl", value: baseUrl }, ...Object.keys(variables).map((key) => ({ key, value: "" }))],
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

function itemOf(document, { path, method, operation }) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const body = bodyOf(operation);
  const line = (parameter) => ({
    key: parameter.name,
    value: textOf(parameter.example ?? parameter.schema?.default),
    description: parameter.description,
    ...(parameter.required === true ? {} : { disabled: true }),
  });
  const of = (place) => parameters.filter((parameter) => parameter.in === place);
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: [
        ...credentialsOf(document, operation),
        ...(body === undefined ? [] : [{ key: "content-type", value: "application/json" }]),
        ...of("header").map(line),
      ],
      url: {
        raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ":$1")}`,
        host: ["{{baseUrl}}"],
        path: path
          .slice(1)
          .split("/")
          .map((part) => part.replace(/\{(\w+)\}/g, ":$1")),
        query: of("query").map(line),
        variable: of("path").map(({ name, example, description }) => ({ key: name, value: textOf(example), description })),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: "raw", raw: JSON.stringify(body, undefined, 2), options: { raw: { language: "json" } } } }),
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

const textOf = (value) => (value === undefined ? "" : String(value));
