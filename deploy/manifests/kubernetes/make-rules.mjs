import { readFileSync } from "node:fs";

/**
 * Prints monitoring/rules.yaml: a PrometheusRule for the Prometheus operator with the groups of deploy/manifests/prometheus/rules. The
 * rules are copied as text, so their comments stay.
 */
const groups = ["alerts.yml", "records.yml"].flatMap((name) => {
  const lines = readFileSync(new URL(`../prometheus/rules/${name}`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return lines.slice(lines.indexOf("groups:") + 1);
});

process.stdout
  .write(`# Made by deploy/manifests/kubernetes/make-rules.mjs from deploy/manifests/prometheus/rules. Change the rules there, and run it again.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: trunkline
  labels:
    app.kubernetes.io/name: trunkline
spec:
  groups:
${groups.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}
`);
