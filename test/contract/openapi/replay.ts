import { request as ask } from "node:http";
import { expect } from "vitest";
import type { ResponseObject as DocumentAnswer, OpenApiDocument, Operation, Parameter } from "../../../router/openapi/document-types.js";
import { errorExamples } from "../../../router/openapi/error-responses.js";
import { request, type ApiResponse } from "../../harness/api.js";
import { schemaChecker } from "../../harness/schema-checker.js";

export interface Play {
  /** The caller's headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values that replace the examples of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  /** `examples` sends every query parameter with the value that the document shows. */
  readonly query?: "examples" | Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The expected status, 200 by default. */
  readonly status?: number;
}

/** The origin of a page that may read the responses. */
export const origin = "https://app.example.com";

/** Headers of every response when `CORS_ORIGINS` is set. The introduction names them. */
const corsHeaders = ["access-control-allow-origin", "access-control-expose-headers", "vary"];

/** Headers of the HTTP engine, and headers that describe the body. */
const ofHttp = new Set(["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"]);

/**
 * Sends the document's examples to a running gateway, compares each response with the document, and records the played calls, examples and
 * errors.
 */
export class Replay {
  readonly played = new Set<string>();
  /** Replacements for values of examples, by value, which exist in the sandbox. */
  readonly instead = new Map<string, string>();
  private readonly faultsIn: ReturnType<typeof schemaChecker>;

  constructor(
    readonly base: string,
    readonly document: OpenApiDocument,
  ) {
    this.faultsIn = schemaChecker(document);
  }

  /** Returns everything that has to be played. */
  get all(): string[] {
    const { paths, webhooks } = this.document;
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const route = `${method.toUpperCase()} ${path}`;
        const ofBody = this.requestsOf(operation).map(([name]) => `${route} > ${name}`);
        const ofAnswers = Object.entries(operation.responses).flatMap(([status, answer]) =>
          examplesOf(answer)
            .filter(([, example]) => "value" in example)
            .map(([name]) => `${route} < ${status} ${name}`),
        );
        return [route, ...ofBody, ...ofAnswers];
      }),
    );
    return [...calls, ...Object.keys(errorExamples), ...Object.keys(webhooks)];
  }

  /** Returns the operation of a route. The document omits `HEAD`, which responds like `GET`. */
  operation(route: string): Operation {
    const [method = "", path = ""] = route.split(" ");
    const operation = this.document.paths[path]?.[method === "HEAD" ? "get" : method.toLowerCase()];
    if (operation === undefined) throw new Error(`the document has no ${route}`);
    return operation;
  }

  /** Returns the bodies of a call by name, with values that exist in the sandbox. */
  requests(route: string): [name: string, body: unknown][] {
    return this.requestsOf(this.operation(route)).map(([name, body]) => [name, this.real(body)]);
  }

  /** Plays one call and requires that its response fits the document. */
  async play(route: string, { headers = {}, path = {}, query, body, status = 200 }: Play): Promise<ApiResponse> {
    const operation = this.operation(route);
    const [method = "", template = ""] = route.split(" ");
    const parameters = this.parametersOf(operation);
    const target = this.targetOf(template, parameters, path);
    const asked = query === "examples" ? this.queryOf(parameters) : (query ?? {});
    const text = new URLSearchParams(asked).toString();
    const answer = await request(`${this.base}${target}${text === "" ? "" : `?${text}`}`, {
      method,
      headers: { origin, ...this.headersOf(parameters), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    expect([route, answer.status, answer.body]).toEqual([route, status, expect.anything()]);
    this.judge(route, answer);
    return answer;
  }

  /** Sends the preflight request of a page on another origin. */
  async preflight(template: string): Promise<ApiResponse> {
    const [operation] = Object.values(this.document.paths[template] ?? {});
    const target = this.targetOf(template, operation === undefined ? [] : this.parametersOf(operation), {});
    return await request(this.base + target, { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } });
  }

  /** Plays all bodies of a call. */
  async playAll(route: string, play: Omit<Play, "body"> = {}): Promise<ApiResponse[]> {
    const answers: ApiResponse[] = [];
    for (const [name, body] of this.requests(route)) {
      answers.push(await this.play(route, { ...play, body }));
      this.played.add(`${route} > ${name}`);
    }
    return answers;
  }

  /** Plays GET and HEAD of a route. Both have the same headers, and HEAD has no body. */
  async read(route: string, play: Play = {}): Promise<ApiResponse> {
    const answer = await this.play(`GET ${route}`, play);
    const head = await this.play(`HEAD ${route}`, play);
    expect([route, head.body]).toEqual([route, ""]);
    return answer;
  }

  /** Requires that a response fits the document, and records it. */
  judge(route: string, answer: ApiResponse): void {
    expect([route, answer.status, this.faultsOf(this.operation(route), answer)]).toEqual([route, answer.status, []]);
    if (answer.status >= 300) return;
    this.played.add(route);
    for (const [name] of examplesOf(this.operation(route).responses[answer.status])) this.played.add(`${route} < ${answer.status} ${name}`);
  }

  /** Returns differences to the document: an unknown status or header, a missing header, or a body that does not match its schema. */
  faultsOf({ responses }: Operation, { status, headers, body }: ApiResponse): string[] {
    const told = responses[String(status)];
    if (told === undefined) return [`no such status: ${status} ${JSON.stringify(body)}`];
    return [...this.headerFaults(told, headers, status), ...this.bodyFaults(told, headers, body)];
  }

  /** Returns differences between a value and the schema `name`. */
  faultsOfSchema(name: string, value: unknown): string[] {
    return this.faultsIn({ $ref: `#/components/schemas/${name}` }, value);
  }

  headerFaults(told: DocumentAnswer, headers: Headers, status: number): string[] {
    const known = new Set([...Object.keys(told.headers ?? {}), ...corsHeaders].map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !known.has(name) && !ofHttp.has(name)).map((name) => `unknown header ${name}`);
    const must = ["x-request-id", ...(status >= 400 ? ["x-error-code"] : [])];
    return [...unknown, ...must.filter((name) => !headers.has(name)).map((name) => `no ${name}`)];
  }

  real<T>(value: T): T {
    if (value === undefined) return value;
    let text = JSON.stringify(value);
    for (const [example, actual] of this.instead) text = text.replaceAll(example, actual);
    return JSON.parse(text) as T;
  }

  private targetOf(template: string, parameters: readonly Parameter[], path: Readonly<Record<string, string>>): string {
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const example = parameters.find((one) => one.in === "path" && one.name === name)?.example;
      return encodeURIComponent(path[name] ?? String(this.real(example)));
    });
  }

  private bodyFaults({ content }: DocumentAnswer, headers: Headers, body: unknown): string[] {
    if (content === undefined || body === "") return [];
    const type = (headers.get("content-type") ?? "").split(";")[0] ?? "";
    const told = content[type] ?? content["*/*"];
    return told === undefined ? [`no such type: ${type}`] : this.faultsIn(told.schema, body);
  }

  private requestsOf({ requestBody }: Operation): [name: string, body: unknown][] {
    const [content] = Object.values(requestBody?.content ?? {});
    return Object.entries(content?.examples ?? {}).flatMap(([name, example]) => ("value" in example ? [[name, example.value]] : []));
  }

  private parametersOf({ parameters = [] }: Operation): Parameter[] {
    const { parameters: named } = this.document.components;
    return parameters.flatMap((one) => ("$ref" in one ? (named[one.$ref.split("/").at(-1) ?? ""] ?? []) : one));
  }

  private queryOf(parameters: readonly Parameter[]): Record<string, string> {
    return Object.fromEntries(
      parameters
        .filter((one) => one.in === "query" && one.example !== undefined)
        .map(({ name, example }) => [name, String(this.real(example))]),
    );
  }

  /** Returns the headers that identify the request. */
  private headersOf(parameters: readonly Parameter[]): Record<string, string> {
    const named = parameters.filter((one) => one.in === "header" && ["x-request-id", "traceparent"].includes(one.name));
    return Object.fromEntries(named.map(({ name, example }) => [name, String(example)]));
  }
}

function examplesOf(told: DocumentAnswer | undefined): [string, object][] {
  return Object.values(told?.content ?? {}).flatMap(({ examples = {} }) => Object.entries(examples));
}

/** Sends headers that `fetch` cannot send, such as a repeated one. `headers` holds names and values in turn. */
export async function askRaw(url: string, method: string, headers: readonly string[]): Promise<ApiResponse> {
  return await new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers, setHost: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const head = new Headers(Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]));
        const text = Buffer.concat(parts).toString();
        const isJson = head.get("content-type")?.startsWith("application/json") === true;
        resolve({ status: response.statusCode ?? 0, headers: head, body: isJson ? (JSON.parse(text) as unknown) : text });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}
