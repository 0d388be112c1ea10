/** A header's value, or the name of an environment variable that holds it, so that the code has no secret in it. */
export type HeaderValue = string | { readonly env: string };

export interface RequestCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly body: object;
}

/** Returns the `POST` as a command for a shell. Pure. */
export function curlText({ url, headers, body }: RequestCall): string {
  const lines = [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(withType(headers)).map(
      ([name, value]) => `-H ${typeof value === "string" ? quoted(`${name}: ${value}`) : `"${name}: $${value.env}"`}`,
    ),
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(" \\\n  ");
}

/** Returns the `POST` as a module for Node without packages. Pure. */
export function nodeText({ url, headers, body }: RequestCall): string {
  const lines = Object.entries(withType(headers)).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${typeof value === "string" ? JSON.stringify(value) : `env.${value.env}`},`,
  );
  return [
    ...(Object.values(headers).every((value) => typeof value === "string") ? [] : ['import { env } from "node:process";', ""]),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    '  method: "POST",',
    "  headers: {",
    ...lines,
    "  },",
    `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`,
    "});",
    "console.log(response.status, await response.json());",
  ].join("\n");
}

function withType(headers: RequestCall["headers"]): RequestCall["headers"] {
  return { ...headers, "content-type": "application/json" };
}

/** Inside single quotes a shell changes nothing, and a quote is written outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
