import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { measuredCosts } from "../../../../../deploy/cli/capacity/measured-costs.js";
import { planOf } from "../../../../../deploy/cli/capacity/plan-of.js";
import { works, type Work } from "../../../../../deploy/cli/capacity/unit-costs.js";
import { routerStopMs, shardStopMs } from "../../../../../deploy/supervisor/plan-children.js";
import { readRouterSettings } from "../../../../../router/config.js";
import { parseRedisAddress } from "../../../../../shared/redis/address.js";
import { readServices } from "../../../../harness/compose-file.js";
import { byteCount, rendered, type Container, type Manifest, type PodSpec } from "./rendered.js";
import { schemaProblems } from "./schemas.js";

const root = resolve(import.meta.dirname, "../../../../..");
const folders = ["base", "monitoring", "overlays/sandbox", "overlays/sentinel", "overlays/cluster"];
const all = new Map(folders.map((folder) => [folder, rendered(folder)]));
const of = (folder: string): readonly Manifest[] => all.get(folder) ?? [];
const one = (folder: string, kind: string, name: string): Manifest => {
  const found = of(folder).find(({ kind: its, metadata }) => its === kind && metadata.name === name);
  if (found === undefined) throw new Error(`${folder} has no ${kind} ${name}`);
  return found;
};
const podOf = (manifest: Manifest): PodSpec => {
  const pod = manifest.spec?.template?.spec;
  if (pod === undefined) throw new Error(`${manifest.kind} ${manifest.metadata.name} has no pods`);
  return pod;
};
const live = ["base", "overlays/sentinel", "overlays/cluster"].flatMap((folder) => [
  [folder, "router", podOf(one(folder, "Deployment", "routers"))] as const,
  [folder, "shard", podOf(one(folder, "StatefulSet", "shard"))] as const,
]);
const container = (pod: PodSpec): Container => {
  const [first] = pod.containers;
  if (first === undefined) throw new Error("no container");
  return first;
};
const valueOf = (pod: PodSpec, name: string): string => container(pod).env?.find((entry) => entry.name === name)?.value ?? "";

describe.each(folders)("%s", (folder) => {
  it("is what the schemas of its kinds say", () => {
    expect(of(folder).length).toBeGreaterThan(0);
    expect(of(folder).flatMap(schemaProblems)).toEqual([]);
  });
});

it.each([
  ["base", "Deployment", "routers", { replicas: "two" }, /replicas/],
  ["base", "Deployment", "routers", { replicaz: 2 }, /no schema knows \/spec\/replicaz/],
  ["base", "Service", "routers", { ports: [{ prot: 80 }] }, /port/],
  ["monitoring", "ServiceMonitor", "trunkline", { endpoints: [{ port: 9090 }] }, /endpoints\/0\/port/],
])("the schemas see a mistake in the %s's %s %s: %j", (folder, kind, name, mistake, problem) => {
  const right = one(folder, kind, name);
  expect(schemaProblems({ ...right, spec: { ...right.spec, ...(mistake as object) } }).join()).toMatch(problem);
});

describe.each(live)("%s: the pod of a %s", (folder, kind, pod) => {
  const settings = readFileSync(join(root, "deploy/docs/settings.md"), "utf8");
  const services = readServices(join(root, "deploy/manifests/compose.yaml"), composeVariables());

  it("sets only what there is to set", () => {
    const maps = (container(pod).envFrom ?? []).map(({ configMapRef }) => one(folder, "ConfigMap", configMapRef.name));
    expect(maps.length).toBe(2);
    const names = [...maps.flatMap(({ data }) => Object.keys(data ?? {})), ...(container(pod).env ?? []).map(({ name }) => name)];
    expect(names.filter((name) => !settings.includes(`\`${name.replace(/_FILE$/, "")}\``))).toEqual([]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it("reads each secret that it is given from a file, and names no other", () => {
    const given = Object.keys(madeSecrets("redis://redis:6379")[`trunkline-${kind}s`] ?? {});
    const files = (container(pod).env ?? []).filter(({ name }) => name.endsWith("_FILE"));
    expect(files.map(({ name, value }) => [name, value])).toEqual(
      expect.arrayContaining(given.map((name) => [`${name}_FILE`, `/etc/trunkline/${name}`])),
    );
    expect(files.length).toBe(given.length);
    expect(pod.volumes?.find(({ name }) => name === "secrets")?.secret?.secretName).toBe(`trunkline-${kind}s`);
    expect(container(pod).volumeMounts).toContainEqual({ name: "secrets", mountPath: "/etc/trunkline", readOnly: true });
  });

  it("starts what compose.yaml starts, on the same ports", () => {
    expect(container(pod).args).toEqual(services[`${kind}-1`]?.command);
    const ports = Object.fromEntries((container(pod).ports ?? []).map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual(kind === "router" ? { http: 8080, admin: 9090 } : { admin: 9090 });
    const image = readFileSync(join(root, "deploy/manifests/Dockerfile"), "utf8");
    expect(image).toContain("HOST=0.0.0.0 PORT=8080");
    expect(image).toContain("ADMIN_HOST=0.0.0.0 ADMIN_PORT=9090");
  });

  it("is probed as the image is, and never ended because Redis is away", () => {
    const { startupProbe, livenessProbe, readinessProbe } = container(pod);
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => [probe?.httpGet?.path, probe?.httpGet?.port])).toEqual([
      ["/healthz", "admin"],
      ["/healthz", "admin"],
      ["/readyz", "admin"],
    ]);
    expect(readFileSync(join(root, "deploy/healthcheck.mjs"), "utf8")).toContain("/healthz`");
    // The supervisor waits up to 30 s before it restarts its process, and allows a start 60 s without progress.
    expect((livenessProbe?.periodSeconds ?? 0) * (livenessProbe?.failureThreshold ?? 0)).toBeGreaterThan(2 * (30 + 60));
  });

  it("has the time that its drain takes", () => {
    const { shutdown } = readRouterSettings({
      ...Object.fromEntries((container(pod).env ?? []).map(({ name, value }) => [name.replace(/_FILE$/, ""), value])),
      ...routerKeys,
      ...{ REDIS_URL: "", REDIS_CACHE_URL: "", MEMBER_NAME: "router-1" },
    }).settings;
    const stopMs = kind === "router" ? routerStopMs(shutdown) : shardStopMs;
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThan(stopMs + 5_000);
  });

  it("is called by its pod, on the host of its node", () => {
    const fields = (container(pod).env ?? []).flatMap(({ name, valueFrom }) =>
      valueFrom === undefined ? [] : [[name, valueFrom.fieldRef.fieldPath]],
    );
    expect(fields).toEqual([
      ["MEMBER_NAME", "metadata.name"],
      ["HOST_ID", "spec.nodeName"],
    ]);
  });

  it("may do nothing that it need not", () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(container(pod).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(
      container(pod)
        .volumeMounts?.filter(({ readOnly }) => readOnly !== true)
        .map(({ mountPath }) => mountPath),
    ).toEqual(["/data", "/tmp"]);
  });

  it("has the memory that the model gives it", () => {
    const { requests, limits } = container(pod).resources ?? {};
    const [asked, most] = [byteCount(requests?.memory), byteCount(limits?.memory)];
    const mib = 1024 ** 2;
    const routers = (Number(valueOf(pod, "CHUNK_MEMORY_MIB")) + 400 + 150) * mib;
    const each = Math.max(...Object.values(measuredCosts.session).map(({ shardBytes }) => shardBytes));
    const shards = measuredCosts.emptyShardBytes + 5_000 * each;
    expect(asked).toBeGreaterThan(kind === "router" ? routers : shards);
    expect(most).toBeGreaterThanOrEqual(asked);
    expect(pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).toEqual([
      "kubernetes.io/hostname",
      "topology.kubernetes.io/zone",
    ]);
  });
});

it("the overlay of a Redis Cluster is as large as the plan for 100,000 sessions", () => {
  const perSecond = Object.fromEntries(works.map((work) => [work, 0])) as Record<Work, number>;
  const { shards, routers } = planOf(
    {
      sessions: { telegram: 50_000, whatsapp: 50_000 },
      perSecond,
      shardBytes: byteCount(container(podOf(one("overlays/cluster", "StatefulSet", "shard"))).resources?.limits?.memory),
    },
    measuredCosts,
  );
  expect(one("overlays/cluster", "StatefulSet", "shard").spec?.replicas).toBeGreaterThanOrEqual(shards.count);
  expect(one("overlays/cluster", "Deployment", "routers").spec?.replicas).toBeGreaterThanOrEqual(routers.count);
});

describe("base", () => {
  const labelsOf = ({ spec }: Manifest): Record<string, string> => spec?.template?.metadata?.labels ?? {};
  const pods = of("base").filter(({ spec }) => spec?.template !== undefined);

  it("selects pods that there are, by services, budgets and policies", () => {
    const selectors = of("base").flatMap(({ kind, spec }) => {
      if (kind === "Service") return [spec?.selector as unknown as Record<string, string>];
      if (kind === "NetworkPolicy") return [spec?.podSelector?.matchLabels ?? {}];
      return kind === "PodDisruptionBudget" ? [spec?.selector?.matchLabels ?? {}] : [];
    });
    expect(selectors.length).toBeGreaterThan(8);
    for (const selector of selectors)
      expect(pods.some((pod) => Object.entries(selector).every(([name, value]) => labelsOf(pod)[name] === value))).toBe(true);
  });

  it("lets one of each kind be missing, and gives shards names that stay", () => {
    for (const name of ["routers", "shards"]) expect(one("base", "PodDisruptionBudget", name).spec?.maxUnavailable).toBe(1);
    const shard = one("base", "StatefulSet", "shard");
    expect(one("base", "Service", shard.spec?.serviceName ?? "").spec).toMatchObject({ clusterIP: "None" });
  });

  it("lets shards out to the public internet, and to nothing else", () => {
    const blocks = one("base", "NetworkPolicy", "shards").spec?.egress?.flatMap(({ to }) => to ?? []) ?? [];
    const allowed = (address: string, family: "ipv4" | "ipv6"): boolean =>
      blocks.some(
        ({ ipBlock }) =>
          ipBlock !== undefined &&
          holds(ipBlock.cidr, address, family) &&
          !(ipBlock.except ?? []).some((cidr) => holds(cidr, address, family)),
      );
    for (const address of ["149.154.167.50", "1.1.1.1"]) expect(allowed(address, "ipv4"), address).toBe(true);
    expect(allowed("2606:4700::1111", "ipv6")).toBe(true);
    for (const address of ["169.254.169.254", "100.100.100.200", "10.0.0.1", "172.16.0.1", "192.168.0.1", "127.0.0.1"])
      expect(allowed(address, "ipv4"), address).toBe(false);
    for (const address of ["fd00:ec2::254", "fe80::1", "::1"]) expect(allowed(address, "ipv6"), address).toBe(false);
  });

  it("allows no pod anything by default", () => {
    expect(one("base", "NetworkPolicy", "nothing-by-default").spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  });
});

it("allows connections to Sentinels where they are used", () => {
  const ports = (folder: string): unknown[] =>
    (one(folder, "NetworkPolicy", "redis").spec?.egress ?? []).flatMap(({ ports: own }) => (own ?? []).map(({ port }) => port));
  expect([ports("base"), ports("overlays/sentinel"), ports("overlays/cluster")]).toEqual([[6379], [6379, 26379], [6379]]);
});

it("Prometheus' jobs are named as alerts have them", () => {
  const { spec } = one("monitoring", "ServiceMonitor", "trunkline");
  const scraped = of("base").filter(({ kind, metadata }) => kind === "Service" && metadata.labels?.["trunkline/scraped"] === "true");
  expect(spec?.selector?.matchLabels).toEqual({ "trunkline/scraped": "true" });
  const jobs = scraped.map(({ metadata }) => metadata.labels?.[spec?.jobLabel ?? ""]).sort();
  const rules = readFileSync(join(root, "deploy/manifests/prometheus/rules/alerts.yml"), "utf8");
  const named = new Set([...rules.matchAll(/job=~?"([^"]+)"/g)].flatMap(([, names = ""]) => names.split("|")));
  expect(jobs).toEqual(["routers", "shards"]);
  expect(jobs.filter((job) => !named.has(job ?? ""))).toEqual([]);
});

it("the operator's rules are those of Prometheus' own files", () => {
  const rule = one("monitoring", "PrometheusRule", "trunkline");
  const files = ["alerts", "records"].map((name): unknown =>
    parse(readFileSync(join(root, `deploy/manifests/prometheus/rules/${name}.yml`), "utf8")),
  );
  expect(rule.spec).toEqual({ groups: files.flatMap((file) => (file as { groups: unknown[] }).groups) });
  const made = spawnSync(process.execPath, [join(root, "deploy/manifests/kubernetes/make-rules.mjs")], { encoding: "utf8" });
  expect(readFileSync(join(root, "deploy/manifests/kubernetes/monitoring/rules.yaml"), "utf8")).toBe(made.stdout);
});

describe("make-secrets", () => {
  it.each([
    ["redis://redis:6379", "redis://router:p@redis:6379", "server"],
    ["rediss://redis:6380", "rediss://router:p@redis:6380", "server"],
    ["redis+sentinel://a:26379,b:26379/main", "redis+sentinel://router:p@a:26379,b:26379/main", "sentinel"],
    ["redis+cluster://a:6379,b:6379", "redis+cluster://router:p@a:6379,b:6379", "cluster"],
  ])("puts each process' user into %s", (address, url, kind) => {
    expect(parseRedisAddress(url)).toMatchObject({ kind, access: { username: "router", password: "p" } });
    const { "trunkline-routers": routers = {}, "trunkline-shards": shards = {} } = madeSecrets(address);
    expect([routers["REDIS_URL"], routers["REDIS_CACHE_URL"]]).toEqual([url, url]);
    const userOf = (name: string): string | undefined => /\/\/(\w+):p@/.exec(shards[name] ?? "")?.[1];
    expect(["REDIS_URL", "REDIS_CACHE_URL", "REDIS_REWRITE_URL", "SUPERVISOR_REDIS_URL"].map(userOf)).toEqual([
      "shard",
      "shard",
      "rewriter",
      "supervisor",
    ]);
  });

  it("leaves the shard's files of a Telegram application empty where there is none", () => {
    const settings = filledIn().replace(/^(TELEGRAM_API_\w+)=.*$/gm, "$1=");
    const { items } = JSON.parse(runMakeSecrets("redis://redis:6379", settings).stdout) as { items: { stringData: object }[] };
    expect(items[1]?.stringData).toMatchObject({ TELEGRAM_API_ID: "", TELEGRAM_API_HASH: "" });
  });

  it.each([
    [
      "redis://a:b@redis:6379",
      filledIn(),
      "an address of Redis is redis://…, rediss://…, redis+sentinel://… or redis+cluster://…, without a user",
    ],
    [
      "http://redis:6379",
      filledIn(),
      "an address of Redis is redis://…, rediss://…, redis+sentinel://… or redis+cluster://…, without a user",
    ],
    ["redis://redis:6379", "CRED_KEYS=\n", "CRED_KEYS is not filled in"],
  ])("says what is wrong with %s in one sentence", (address, settings, sentence) => {
    expect(runMakeSecrets(address, settings)).toMatchObject({ status: 1, stdout: "", stderr: `${sentence}\n` });
  });
});

const routerKeys = {
  CRED_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  MEDIA_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  API_KEYS: "admin:0123456789abcdef",
};

/** Returns the file that make-env writes, filled in. */
function filledIn(): string {
  const users = ["ROUTER", "SHARD", "REWRITER", "SUPERVISOR"].map((user) => `REDIS_${user}_PASSWORD`);
  return ["CRED_KEYS", "MEDIA_KEYS", "API_KEYS", "TELEGRAM_API_ID", "TELEGRAM_API_HASH", ...users].map((name) => `${name}=p\n`).join("");
}

function runMakeSecrets(address: string, settings: string): { status: number | null; stdout: string; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), "tl-secrets-"));
  try {
    writeFileSync(join(folder, "env"), settings);
    const script = join(root, "deploy/manifests/kubernetes/make-secrets.mjs");
    return spawnSync(process.execPath, [script, address, address, join(folder, "env")], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the secrets by name. */
function madeSecrets(address: string): Record<string, Record<string, string>> {
  const { stdout } = runMakeSecrets(address, filledIn());
  const { items } = JSON.parse(stdout) as { items: { metadata: { name: string }; stringData: Record<string, string> }[] };
  return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

function composeVariables(): Record<string, string> {
  const text = readFileSync(join(root, "deploy/manifests/compose.yaml"), "utf8");
  return Object.fromEntries([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => [name, "x"]));
}

function holds(cidr: string, address: string, family: "ipv4" | "ipv6"): boolean {
  const [network = "", bits = ""] = cidr.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
  return network.includes(":") === (family === "ipv6") && list.check(address, family);
}
