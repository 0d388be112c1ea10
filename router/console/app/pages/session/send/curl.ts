export interface CurlCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Returns the `POST` as a command for a shell. The reader sets `API_KEY`, so that the text holds no secret. Pure. */
export function curlText({ url, headers, body }: CurlCall): string {
  const lines = [
    `curl -X POST ${quoted(url)}`,
    '-H "x-api-key: $API_KEY"',
    ...Object.entries({ ...headers, "content-type": "application/json" }).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ];
  return lines.join(" \\\n  ");
}

/** Inside single quotes a shell changes nothing, and a quote is written outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
