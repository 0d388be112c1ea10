import { request as ask } from "node:http";
import { expect } from "vitest";
import type { Answer as DocumentAnswer, OpenApiDocument, Operation, Parameter } from "../../../router/openapi/document-types.js";
import { errorExamples } from "../../../router/openapi/error-answers.js";
import { request, type Answer } from "../../harness/api.js";
import { schemaChecker } from "../../harness/schema-checker.js";

export interface Play {
  /** Of the caller. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of the examples of parameters in the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** `examples`: every parameter of the query, as the document shows it. */
  readonly query?: "examples" | Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** 200 by default. */
  readonly status?: number;
}

/** As of a page that may read the answers. */
export const origin = "https://app.example.com";

/** Present in every response when `CORS_ORIGINS` is set; the introduction names them. */
const corsHeaders = ["access-control-allow-origin", "access-control-expose-headers", "vary"];

/** The engine's own, and what the body itself says. */
const ofHttp = new Set(["connection", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"]);

/**
 * Asks a running gateway for what its document shows, holds each answer against the document, and keeps what was asked: calls by their route, examples by their route and name, sentences by
 * theirs.
 */
export class Replay {
  readonly played = new Set<string>();
  /** What stands in examples, and what there is in its place on the sandbox. */
  readonly instead = new Map<string, string>();
  private readonly faultsIn: ReturnType<typeof schemaChecker>;

  constructor(
    readonly base: string,
    readonly document: OpenApiDocument,
  ) {
    this.faultsIn = schemaChecker(document);
  }

  /** Everything that is to be played. */
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

  /** The operation of a route. The document leaves `HEAD` out: it answers as `GET` does. */
  operation(route: string): Operation {
    const [method = "", path = ""] = route.split(" ");
    const operation = this.document.paths[path]?.[method === "HEAD" ? "get" : method.toLowerCase()];
    if (operation === undefined) throw new Error(`the document has no ${route}`);
    return operation;
  }

  /** Bodies of a call by their names, with what there is on the sandbox. */
  requests(route: string): [name: string, body: unknown][] {
    return this.requestsOf(this.operation(route)).map(([name, body]) => [name, this.real(body)]);
  }

  /** One call; its answer fits the document. */
  async play(route: string, { headers = {}, path = {}, query, body, status = 200 }: Play): Promise<Answer> {
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

  /** The preflight request of a page on another origin. */
  async preflight(template: string): Promise<Answer> {
    const [operation] = Object.values(this.document.paths[template] ?? {});
    const target = this.targetOf(template, operation === undefined ? [] : this.parametersOf(operation), {});
    return await request(this.base + target, { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } });
  }

  /** All bodies of a call. */
  async playAll(route: string, play: Omit<Play, "body"> = {}): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const [name, body] of this.requests(route)) {
      answers.push(await this.play(route, { ...play, body }));
      this.played.add(`${route} > ${name}`);
    }
    return answers;
  }

  /** A call of GET, and the same of HEAD: the same head, and no body. */
  async read(route: string, play: Play = {}): Promise<Answer> {
    const answer = await this.play(`GET ${route}`, play);
    const head = await this.play(`HEAD ${route}`, play);
    expect([route, head.body]).toEqual([route, ""]);
    return answer;
  }

  /** Holds an answer of the call against the document, and counts it. */
  judge(route: string, answer: Answer): void {
    expect([route, answer.status, this.faultsOf(this.operation(route), answer)]).toEqual([route, answer.status, []]);
    if (answer.status >= 300) return;
    this.played.add(route);
    for (const [name] of examplesOf(this.operation(route).responses[answer.status])) this.played.add(`${route} < ${answer.status} ${name}`);
  }

  /** What is wrong with an answer by the document: an unknown status or header, none that must be there, or a body of another form. */
  faultsOf({ responses }: Operation, { status, headers, body }: Answer): string[] {
    const told = responses[String(status)];
    if (told === undefined) return [`no such status: ${status} ${JSON.stringify(body)}`];
    return [...this.headerFaults(told, headers, status), ...this.bodyFaults(told, headers, body)];
  }

  /** What is wrong with the form of a value that the document names. */
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

  /** Under which the request is known. */
  private headersOf(parameters: readonly Parameter[]): Record<string, string> {
    const named = parameters.filter((one) => one.in === "header" && ["x-request-id", "traceparent"].includes(one.name));
    return Object.fromEntries(named.map(({ name, example }) => [name, String(example)]));
  }
}

function examplesOf(told: DocumentAnswer | undefined): [string, object][] {
  return Object.values(told?.content ?? {}).flatMap(({ examples = {} }) => Object.entries(examples));
}

/** With headers that `fetch` cannot send, such as one that stands twice. `headers`: names and values in turn. */
export async function askRaw(url: string, method: string, headers: readonly string[]): Promise<Answer> {
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
