import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";

const kubernetes = resolve(import.meta.dirname, "../../../../../deploy/manifests/kubernetes");

/** The fields of a Kubernetes object that the tests read. Its schema is checked separately. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: ManifestSpec;
}

interface Selector {
  readonly matchLabels?: Record<string, string>;
}

interface ManifestSpec {
  readonly replicas?: number;
  readonly serviceName?: string;
  readonly maxUnavailable?: number;
  readonly jobLabel?: string;
  readonly selector?: Selector;
  readonly podSelector?: Selector;
  readonly template?: { readonly metadata?: { readonly labels?: Record<string, string> }; readonly spec: PodSpec };
  readonly egress?: readonly {
    readonly to?: readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] } }[];
    readonly ports?: readonly { readonly port: number | string }[];
  }[];
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string | number };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
  }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: Readonly<Record<"requests" | "limits", { readonly memory?: string }>>;
  readonly securityContext?: unknown;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

/** Returns the objects that `kubectl apply -k` would send for a folder of deploy/manifests/kubernetes. Throws on warnings of Kustomize. */
export function rendered(folder: string): readonly Manifest[] {
  const { status, stdout, stderr, error } = spawnSync("kubectl", ["kustomize", join(manifests, folder)], { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0 || stderr !== "") throw new Error(`${folder}: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** Copies the manifests for kubectl 1.20 of Debian 12, whose kustomize has other names for two fields. */
function forOldKubectl(): string {
  const copy = mkdtempSync(join(tmpdir(), "tl-kubernetes-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(kubernetes, copy, { recursive: true });
  for (const overlay of readdirSync(join(copy, "overlays"))) {
    const file = join(copy, "overlays", overlay, "kustomization.yaml");
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace("resources:\n  - ../../base", "bases:\n  - ../../base")
        .replace(/^patches:\n {2}- path: /m, "patchesStrategicMerge:\n  - "),
    );
  }
  return copy;
}

function isOldKubectl(): boolean {
  const { stdout } = spawnSync("kubectl", ["version", "--client", "-o", "json"], { encoding: "utf8" });
  const [, minor = ""] = /"minor": "(\d+)/.exec(stdout) ?? [];
  return Number(minor) < 21;
}

const manifests = isOldKubectl() ? forOldKubectl() : kubernetes;

/** Returns a size such as `1536Mi` in bytes. */
export function byteCount(text = ""): number {
  const [, count = "", unit = ""] = /^(\d+)(Mi|Gi)$/.exec(text) ?? [];
  if (count === "") throw new Error(`not a size: ${text}`);
  return Number(count) * (unit === "Gi" ? 1024 ** 3 : 1024 ** 2);
}
