import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, EnvReader } from "../../../../shared/config/env.js";
import { pathPrefix, readProcessSettings } from "../../../../shared/process/settings.js";

const problemsOf = (env: Record<string, string>, read: (reader: EnvReader) => void): readonly string[] => {
  const reader = new EnvReader(env);
  read(reader);
  try {
    reader.finish();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("EnvReader", () => {
  it("reports all problems at once, with variable and value", () => {
    const problems = problemsOf({ PORT: "http", LEVEL: "loud" }, (env) => {
      env.integer("PORT", 8080, { min: 0, max: 65_535 });
      env.oneOf("LEVEL", ["info", "debug"], "info");
      env.text("NAME");
    });
    expect(problems).toEqual([
      'PORT must be an integer from 0 to 65535, not "http"',
      'LEVEL must be one of info, debug, not "loud"',
      "NAME is not set",
    ]);
  });
  it("never shows a secret's value", () => {
    const problems = problemsOf({ CRED_KEYS: "hunter2" }, (env) => env.keyRing("CRED_KEYS"));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^CRED_KEYS /);
    expect(problems[0]).not.toContain("hunter2");
  });
  it("reads a setting from the file that its _FILE names, unless it is there itself", () => {
    const folder = mkdtempSync(join(tmpdir(), "env-"));
    try {
      writeFileSync(join(folder, "secret"), "from a file\n");
      const given = { REDIS_URL_FILE: join(folder, "secret"), PORT: "1", PORT_FILE: join(folder, "secret") };
      expect(new EnvReader(given).text("REDIS_URL")).toBe("from a file");
      expect(new EnvReader(given).integer("PORT", 8080, { min: 0, max: 65_535 })).toBe(1);
      expect(problemsOf({ API_KEYS_FILE: join(folder, "none") }, (env) => [env.optional("API_KEYS"), env.optional("API_KEYS")])).toEqual([
        `API_KEYS_FILE cannot be read (ENOENT): "${join(folder, "none")}"`,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  it("takes an empty variable for an absent one", () => {
    expect(new EnvReader({ PORT: "" }).integer("PORT", 8080, { min: 0, max: 65_535 })).toBe(8080);
  });
});

describe("process settings", () => {
  it.each([
    ["/telegram", "/telegram"],
    ["https://gw.example/telegram/", "/telegram"],
    ["https://gw.example", ""],
    ["/", ""],
    ["https://gw.example/a/b", "/a/b"],
  ])("the prefix of %s is %j", (base, prefix) => {
    expect(pathPrefix(base)).toBe(prefix);
  });
  it("refuses one address for both variants", () => {
    const problems = problemsOf({ BASE_URL_A: "/x", BASE_URL_B: "https://gw.example/x" }, (env) =>
      readProcessSettings(env, { name: "router-1", adminPort: 9090 }),
    );
    expect(problems.join("\n")).toContain("must have another path than BASE_URL_A");
  });
  it.each(["ftp://x", "telegram", "/a b"])("refuses the base address %s", (base) => {
    expect(problemsOf({ BASE_URL_B: base }, (env) => readProcessSettings(env, { name: "router-1", adminPort: 9090 }))).toHaveLength(1);
  });
});

describe("where spans go", () => {
  const endpointOf = (given: Record<string, string>): string | undefined => {
    const env = new EnvReader(given);
    const { tracesEndpoint } = readProcessSettings(env, { name: "router-1", adminPort: 9090 });
    env.finish();
    return tracesEndpoint;
  };
  const general = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
  it.each<[string, Record<string, string>, string | undefined]>([
    ["nothing", {}, undefined],
    ["empty", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, undefined],
    ["of all signals", general, "http://collector:4318/v1/traces"],
    ["of traces", { ...general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/in" }, "https://traces/in"],
    ["off", { ...general, OTEL_SDK_DISABLED: "true" }, undefined],
  ])("%s", (_, given, endpoint) => {
    expect(endpointOf(given)).toBe(endpoint);
  });
  it("is a URL, and not shown when it is none", () => {
    const problems = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:hunter2" }, (env) => {
      readProcessSettings(env, { name: "router-1", adminPort: 9090 });
    });
    expect(problems).toEqual(["OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL"]);
  });
});
