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

/** Of the kinds that there are; each checks itself by its schema. */
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

/** What a cluster would refuse, or would drop without a word: wrong values, and fields that no schema knows. */
export function schemaProblems(manifest: Manifest): string[] {
  const name = `${manifest.kind} ${manifest.metadata.name}`;
  const model = models[`${manifest.apiVersion} ${manifest.kind}`];
  if (model === undefined) return [`${name}: of ${manifest.apiVersion} no schema is known here`];
  const seen = new SeenFields();
  try {
    // A model copies what it is made of, and would read all of it for that.
    Reflect.apply(model.prototype.validate, seen.watched(manifest), []);
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
  return seen.unread().map((path) => `${name}: no schema knows ${path}`);
}

/** A check by a schema reads each field that the schema has, and no other. */
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

  /** What nobody looked into at all is of no form. */
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
