import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { enginePackageFor } from "../../../../shared/process/http-engine.js";
import { readServices } from "../../../harness/compose-file.js";

/**
 * Checks the image's files without a Docker engine. `npm run test:containers` runs them in Docker, and test/journey/compose.test.ts as
 * plain processes.
 */
const root = resolve(import.meta.dirname, "../../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Stage {
  readonly name: string;
  readonly lines: readonly string[];
}

const stages: Stage[] = read("deploy/manifests/Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n/g, " ")
  .split(/^FROM /m)
  .slice(1)
  .map((text) => {
    const [first = "", ...lines] = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    return { name: / AS (\S+)/.exec(first)?.[1] ?? "image", lines };
  });
const copies = stages.flatMap(({ name, lines }) =>
  lines.filter((line) => line.startsWith("COPY ")).map((line) => ({ stage: name, words: line.split(/\s+/).slice(1) })),
);
const fromCheckout = copies.filter(({ words }) => !words[0]?.startsWith("--")).flatMap(({ words }) => words.slice(0, -1));

describe("Dockerfile", () => {
  it("copies what is there and what .dockerignore lets through", () => {
    expect(fromCheckout.length).toBeGreaterThan(8);
    expect(fromCheckout.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const allowed = read(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    expect(fromCheckout.filter((path) => !allowed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))).toEqual([]);
    expect(allowed.filter((path) => !fromCheckout.includes(path))).toEqual([]);
  });

  it("builds from every source that the processes import, and holds nothing else of ours", () => {
    const built = ["deploy/all-in-one", "deploy/cli", "deploy/supervisor", "shared", "router", "shard"];
    expect(built.filter((folder) => !fromCheckout.includes(folder))).toEqual([]);
    const outside = built
      .flatMap((folder) => importsBelow(folder))
      .filter((target) => !built.some((folder) => target.startsWith(`${folder}/`)));
    expect(outside).toEqual([]);
    const image = copies.filter(({ stage }) => stage === "image").map(({ words }) => words.join(" "));
    expect(image).toEqual([
      "--from=ffmpeg /opt/ffmpeg/bin /usr/local/bin",
      "--from=packages /app/node_modules node_modules",
      "--from=packages /app/shard/whatsapp/bridge shard/whatsapp/bridge",
      "--from=packages /app/shard/files/image/fonts shard/files/image/fonts",
      "--from=build /app/dist dist",
      "package.json LICENSE README.md ./",
      "deploy/healthcheck.mjs deploy/healthcheck.mjs",
      "deploy/trunkline.mjs deploy/trunkline.mjs",
    ]);
  });

  it("knows the packages of the sandbox before it installs any, and has none of them for the live platforms", () => {
    const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
    expect(workspaces).not.toEqual([]);
    const [live, build] = ["packages", "source"].map((name) => stages.find((stage) => stage.name === name)?.lines ?? []);
    expect(live).toContain("RUN npm ci --omit=dev --workspaces=false");
    const copied = workspaces.map((folder) => build?.indexOf(`COPY ${folder}/package.json ${folder}/package.json`) ?? -1);
    expect(copied.filter((line) => line === -1 || line > (build?.indexOf("RUN npm ci") ?? -1))).toEqual([]);
  });

  it("has the command that the runbook has run in it, and what that imports", () => {
    const [, service, command = ""] = / exec (\S+) node (deploy\/\S+\.mjs) /.exec(read("deploy/docs/runbook.md")) ?? [];
    expect([service, command]).toEqual(["router-1", "deploy/trunkline.mjs"]);
    expect(copies.filter(({ stage }) => stage === "image").map(({ words }) => words[0])).toContain(command);
    const imported = [...read(command).matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name);
    expect(imported.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  it("runs as any user, with an init before node, a health check and no secret", () => {
    const image = stages.at(-1)?.lines ?? [];
    expect(image.filter((line) => /^(USER|ENTRYPOINT|VOLUME)/.test(line))).toEqual([
      "VOLUME /data",
      "USER node",
      'ENTRYPOINT ["/usr/bin/tini", "--"]',
    ]);
    expect(image.some((line) => line.startsWith("HEALTHCHECK ") && line.includes('["node", "deploy/healthcheck.mjs"]'))).toBe(true);
    expect(read("deploy/manifests/Dockerfile")).not.toMatch(/^(ARG|ENV)[^\n]*(KEY|PASSWORD|TOKEN|SECRET|HASH)/m);
  });

  it("has a Node and a glibc for which the HTTP engine has a binary, and keeps that one", () => {
    expect(/^ARG NODE_IMAGE=(.*)$/m.exec(read("deploy/manifests/Dockerfile"))?.[1]).toBe("node:24-trixie-slim");
    for (const arch of ["x64", "arm64"]) {
      const name = enginePackageFor({ platform: "linux", arch, node: "24.0.0", glibc: "2.41" });
      expect(read("deploy/manifests/Dockerfile")).toContain(`const folder = "node_modules/${name}/"`);
      expect(readdirSync(join(root, `node_modules/${name}`))).toContain(`uws_linux_${arch}_137.node`);
    }
  });
});

describe("compose.yaml", () => {
  const variables = {
    CRED_KEYS: "c",
    MEDIA_KEYS: "m",
    API_KEYS: "a",
    REDIS_PASSWORD: "p",
    REDIS_ROUTER_PASSWORD: "p",
    REDIS_SHARD_PASSWORD: "p",
    REDIS_SUPERVISOR_PASSWORD: "p",
    REDIS_REWRITER_PASSWORD: "p",
    REDIS_METRICS_PASSWORD: "p",
    GRAFANA_PASSWORD: "g",
  };
  const services = readServices(join(root, "deploy/manifests/compose.yaml"), variables);
  const ours = Object.entries(services).filter(([name]) => /^(router|shard)-\d+$/.test(name));
  const named = (kind: string): string[] => Object.keys(services).filter((name) => name.startsWith(`${kind}-`));

  it("starts nothing without secrets", () => {
    for (const name of Object.keys(variables))
      expect(() => readServices(join(root, "deploy/manifests/compose.yaml"), { ...variables, [name]: "" })).toThrow(name);
  });

  it("needs no Telegram application", () => {
    expect(services["shard-1"]?.environment).toMatchObject({ TELEGRAM_API_ID: "", TELEGRAM_API_HASH: "" });
  });

  it("gives each process the name of its service", () => {
    expect(ours.map(([name, { environment }]) => [name, environment?.["MEMBER_NAME"]])).toEqual(ours.map(([name]) => [name, name]));
  });

  it("starts each process under a supervisor of its own", () => {
    const supervised = (kind: string | undefined): string[] => [
      "node",
      "--enable-source-maps",
      "dist/deploy/supervisor/container.js",
      kind ?? "",
    ];
    for (const [name, { command }] of ours) expect(command).toEqual(supervised(name.replace(/-\d+$/, "")));
    expect(stages.at(-1)?.lines.at(-1)).toBe(`CMD ${JSON.stringify(supervised("router")).replaceAll(",", ", ")}`);
  });

  it("sets only what the program reads", () => {
    const sources = [
      "shared/config/telegram-app.ts",
      "shared/process/settings.ts",
      "shared/redis/settings.ts",
      "router/config.ts",
      "shard/config.ts",
      "deploy/supervisor/container.ts",
    ]
      .map(read)
      .join("\n");
    const unknown = ours.flatMap(([, { environment = {} }]) => Object.keys(environment)).filter((name) => !sources.includes(`"${name}"`));
    expect(unknown).toEqual([]);
  });

  it("is scraped whole", () => {
    const targets = (kind: string): string[] =>
      (parse(read(`deploy/manifests/prometheus/targets/${kind}s.yml`)) as { targets: string[] }[]).flatMap((entry) => entry.targets);
    for (const kind of ["router", "shard"]) expect(targets(kind)).toEqual(named(kind).map((name) => `${name}:9090`));
  });

  it("keeps tenants' webhooks away from all that listens inside", () => {
    const inside = [
      ...named("redis").map((name) => `${name}:6379`),
      ...named("router").flatMap((name) => [`${name}:8080`, `${name}:9090`]),
      ...named("shard").map((name) => `${name}:9090`),
      "prometheus:9090",
    ];
    for (const name of named("shard")) expect(services[name]?.environment?.["WEBHOOK_DENY"]?.split(",").sort()).toEqual([...inside].sort());
  });

  it.each(Object.entries(services))("%s is pinned, bounded, watched and started again", (name, service) => {
    expect(service.image).toMatch(/:(local|v?\d+[\w.-]*)$/);
    expect(service["restart"]).toBe("unless-stopped");
    expect(service["deploy"]).toMatchObject({ resources: { limits: { memory: expect.stringMatching(/^\d+[mg]$/) as string } } });
    expect(service["cap_drop"]).toEqual(["ALL"]);
    if (ours.some(([own]) => own === name))
      expect(service).toMatchObject({ read_only: true, build: { context: "../..", dockerfile: "deploy/manifests/Dockerfile" } });
    else expect(service["healthcheck"]).toBeDefined();
    // Ports are published on loopback only, unless the operator changes that.
    for (const port of (service["ports"] ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

function importsBelow(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return files.flatMap((file) =>
    [...readFileSync(join(root, folder, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target = ""]) =>
      relative(root, resolve(root, folder, file, "..", target)),
    ),
  );
}
