import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readSupervisorSettings } from "../../../../deploy/supervisor/settings.js";

const { wrongSettings } = (await import(resolve(import.meta.dirname, "../../../../deploy/setup/check-settings.mjs"))) as {
  wrongSettings: (environment: Record<string, string>) => Promise<string[]>;
};

/** The supervisor's complaints about the same settings. */
function complaints(environment: Record<string, string>): string {
  try {
    readSupervisorSettings(environment);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

it.each<[Record<string, string>, string]>([
  [{ API_KEYS: "admin:short" }, "API_KEYS has a key of fewer than 16 characters"],
  [{ API_KEYS: "tiny" }, "API_KEYS has a key of fewer than 16 characters"],
  [{ API_KEYS: "boss:0123456789abcdef" }, "API_KEYS must be a list of role:key with the roles create and admin"],
  [{ API_KEYS: "admin:" }, "API_KEYS must be a list of role:key without empty keys"],
  [{ PORT: "80a" }, 'PORT must be an integer from 1 to 65535, not "80a"'],
  [{ SHARDS: "0" }, 'SHARDS must be an integer from 1 to 64, not "0"'],
  [{ PLATFORMS: "prod" }, 'PLATFORMS must be one of sandbox, live, not "prod"'],
  [{ PLATFORMS: "live", TELEGRAM_API_ID: "1" }, "TELEGRAM_API_HASH is not set"],
])("%j is found before anything is installed, as the supervisor finds it later", async (environment, sentence) => {
  const [problem = ""] = await wrongSettings(environment);
  expect(problem).toContain(sentence);
  expect(complaints(environment)).toContain(sentence);
});

it("finds nothing wrong with what is not set, and with a key that is long enough", async () => {
  const free = { PORT: "21990", ADMIN_PORT: "21991", SANDBOX_PORT: "21970" };
  expect(await wrongSettings({ ...free, API_KEYS: "admin:0123456789abcdef,fedcba9876543210" })).toEqual([]);
});

it("names a port that stays taken, its setting and another port", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const problems = await wrongSettings({ PORT: String(port), ADMIN_PORT: "21991", SANDBOX_PORT: "21970" });
  server.close();
  expect(problems).toEqual([
    `port ${port} is in use: end the process that has it, or change PORT: PORT=${port > 65_000 ? port - 100 : port + 100} npm start`,
  ]);
});
