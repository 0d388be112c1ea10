/** A client generator: its command, and a program that sends a message with the generated client. */
export interface Generator {
  /** Program and arguments. The working folder contains `openapi.json`, and `GATEWAY` is in the environment. */
  readonly command: readonly [string, ...string[]];
  readonly program: string;
}

const head = `
const { GATEWAY = "", ID = "", SECRET = "", TEXT = "" } = process.env;
const headers = { id: ID, "session-id": SECRET };
`;
const message = `{ username: "bob_sandbox", type: "text", text: TEXT }`;

export const generators: Readonly<Record<string, Generator>> = {
  "openapi-typescript": {
    command: ["openapi-typescript", "openapi.json", "-o", "openapi-typescript.ts"],
    program: `
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript";
${head}
const client = createClient<paths>({ baseUrl: GATEWAY, headers });
const { data, error } = await client.POST("/telegram/message", { body: ${message} });
if (data === undefined) throw new Error(error.message);
console.log(data.messageId);
`,
  },
  "hey-api": {
    command: ["openapi-ts", "-i", "openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"],
    program: `
import { telegramSendMessage } from "./hey-api";
import { client } from "./hey-api/client.gen";
${head}
client.setConfig({ baseUrl: GATEWAY, headers });
const { data, error } = await telegramSendMessage({ body: ${message} });
if (data === undefined) throw new Error(error.message);
console.log(data.messageId);
`,
  },
  orval: {
    command: ["orval", "--config", "orval.config.cjs"],
    program: `
import { telegramSendMessage } from "./orval";
${head}
const answer = await telegramSendMessage(${message}, { headers });
if (answer.status !== 200) throw new Error(answer.data.message);
console.log(answer.data.messageId);
`,
  },
  oazapfts: {
    command: ["oazapfts", "openapi.json", "oazapfts.ts"],
    program: `
import { defaults, telegramSendMessage } from "./oazapfts";
${head}
defaults.baseUrl = GATEWAY;
defaults.headers = headers;
const answer = await telegramSendMessage(${message});
if (answer.status !== 200) throw new Error(answer.data.message);
console.log(answer.data.messageId);
`,
  },
};

/** Settings of orval, which has the base URL from its settings alone. */
export const orvalConfig = `
module.exports = {
  trunkline: { input: "openapi.json", output: { target: "orval.ts", client: "fetch", baseUrl: process.env.GATEWAY } },
};
`;

/** Settings of the compiler: strict, as projects of callers often have it. */
export const compilerConfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    moduleDetection: "force",
    types: ["node"],
    skipLibCheck: true,
  },
  include: ["."],
});
