import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readSupervisorSettings } from "../../../../deploy/supervisor/settings.js";

const setup = resolve(import.meta.dirname, "../../../../deploy/setup");
const { wrongSettings } = (await import(`${setup}/check-settings.mjs`)) as {
  wrongSettings: (environment: Record<string, string>) => Promise<string[]>;
};
const { settingsReaders } = (await import(`${setup}/bundle-settings.mjs`)) as { settingsReaders: () => Promise<string> };
const free = { PORT: "21990", ADMIN_PORT: "21991", SANDBOX_PORT: "21970" };
const live = { PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "hash" };

/** Returns the supervisor's errors for the same settings. */
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
  [{ CRED_KEYS: "short" }, "CRED_KEYS must be a list of id:base64 with ids of one letter or digit"],
  [{ CRED_KEYS_FILE: "/absent" }, 'CRED_KEYS_FILE cannot be read (ENOENT): "/absent"'],
  [{ MEDIA_KEYS: "a:b" }, "MEDIA_KEYS key a must be 32 bytes of base64"],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL must be one of error, warn, info, debug, silent, not "loud"'],
  [{ ADMIN_PORT: "8080", PORT: "8080" }, "ADMIN_PORT with PORT and SANDBOX_PORT gives 8080 to both router-1 and admin of router-1"],
])("%j is found before anything is installed, as the supervisor finds it later", async (environment, sentence) => {
  const [problem = ""] = await wrongSettings(environment);
  expect(problem).toContain(sentence);
  expect(complaints(environment)).toContain(sentence);
});

it.each<[Record<string, string>, string]>([
  [{ TRUSTED_PROXIES: "here" }, "TRUSTED_PROXIES must be a list of addresses"],
  [{ API_DOCS: "yes" }, 'API_DOCS must be one of 1, 0, not "yes"'],
  [{ PACE_SENDS: "fast" }, "PACE_SENDS must be an integer"],
  [{ WEBHOOK_DENY: "here" }, 'WEBHOOK_DENY must be a list of host:port, not "here"'],
  [{ ...live, WHATSAPP_URL: "http://here" }, 'WHATSAPP_URL must be a ws or wss URL, not "http://here"'],
  [{ ...live, TELEGRAM_SERVER_KEYS: "/absent" }, 'TELEGRAM_SERVER_KEYS must name a file that can be read (ENOENT), not "/absent"'],
  [{ HOST: "192.0.2.1" }, 'HOST must be an address of this machine (EADDRNOTAVAIL), not "192.0.2.1"'],
  [{ ...live, EGRESS_ADDRESS: "192.0.2.1" }, 'EGRESS_ADDRESS must be an address of this machine (EADDRNOTAVAIL), not "192.0.2.1"'],
  [{ DATA_DIR: "/dev/null/data" }, 'DATA_DIR must be a folder that this user may write (ENOTDIR), not "/dev/null/data"'],
])("%j, which only a router or a shard would notice, is found before anything is installed", async (environment, sentence) => {
  expect(await wrongSettings({ ...free, ...environment })).toEqual([expect.stringContaining(sentence)]);
});

it("reports the mistakes of all processes at once, each once", async () => {
  const problems = await wrongSettings({ SHARDS: "many", LOG_LEVEL: "loud", PACE_SENDS: "fast", API_DOCS: "yes" });
  expect(problems.map((problem) => problem.split(" ", 1)[0]).sort()).toEqual(["API_DOCS", "LOG_LEVEL", "PACE_SENDS", "SHARDS"]);
});

it("leaves out what a start on the sandbox replaces", async () => {
  const replaced = { WHATSAPP_ROOT_KEY: "/absent", TELEGRAM_DC_MAP: "none", EGRESS_ADDRESS: "192.0.2.1" };
  expect(await wrongSettings({ ...free, ...replaced })).toEqual([]);
});

it("uses the readers of the processes as they are now: `npm run build` writes them", async () => {
  expect(readFileSync(`${setup}/settings-readers.js`, "utf8")).toBe(await settingsReaders());
});

it("finds nothing wrong with what is not set, and with a key that is long enough", async () => {
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
