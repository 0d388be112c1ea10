import * as monitoring from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import * as apps from "kubernetes-models/apps/v1";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import type { Manifest } from "./rendered.js";

interface Model {
  validate(): void;
}
interface ModelClass {
  readonly prototype: Model;
}

/** The model of each kind in use, which validates its objects against its schema. */
const models: Readonly<Record<string, ModelClass>> = {
  "v1 ConfigMap": core.ConfigMap,
  "v1 Namespace": core.Namespace,
  "v1 Service": core.Service,
  "apps/v1 Deployment": apps.Deployment,
  "apps/v1 StatefulSet": apps.StatefulSet,
  "networking.k8s.io/v1 NetworkPolicy": networking.NetworkPolicy,
  "policy/v1 PodDisruptionBudget": policy.PodDisruptionBudget,
  "monitoring.coreos.com/v1 PrometheusRule": monitoring.PrometheusRule,
  "monitoring.coreos.com/v1 ServiceMonitor": monitoring.ServiceMonitor,
};

/** Returns values that a cluster would reject, and fields outside the schema, which a cluster would drop silently. */
export function schemaProblems(manifest: Manifest): string[] {
  const name = `${manifest.kind} ${manifest.metadata.name}`;
  const model = models[`${manifest.apiVersion} ${manifest.kind}`];
  if (model === undefined) return [`${name}: of ${manifest.apiVersion} no schema is known here`];
  const seen = new SeenFields();
  try {
    // Uses `validate` without a model instance, because a model copies its input and would read every field.
    Reflect.apply(model.prototype.validate, seen.watched(manifest), []);
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
  return seen.unread().map((path) => `${name}: no schema knows ${path}`);
}

/** Records the fields that a validation reads. A validation reads each field of its schema, and no other. */
class SeenFields {
  private readonly looked: { readonly at: string; readonly object: object; readonly read: Set<string> }[] = [];

  watched(value: unknown, at = ""): unknown {
    if (typeof value !== "object" || value === null) return value;
    const read = new Set<string>();
    this.looked.push({ at, object: value, read });
    const children = new Map(Object.entries(value).map(([name, child]) => [name, this.watched(child, `${at}/${name}`)]));
    return new Proxy(value, {
      get: (target, name) => {
        if (typeof name === "string") read.add(name);
        return typeof name === "string" && children.has(name) ? children.get(name) : (Reflect.get(target, name) as unknown);
      },
    });
  }

  /** Returns the unread fields. An object without any read field has no schema. */
  unread(): string[] {
    return this.looked
      .filter(({ read }) => read.size > 0)
      .flatMap(({ at, object, read }) =>
        Object.keys(object)
          .filter((name) => !read.has(name))
          .map((name) => `${at}/${name}`),
      );
  }
}
