import { appendReads, appendRows } from "../shared/cluster/audit/append-rows.js";
import { createAuditLog } from "../shared/cluster/audit/audit-log.js";
import { AuditWriter } from "../shared/cluster/audit/audit-writer.js";
import type { NamedPart, Opened } from "../shared/process/lifecycle.js";
import { Audit } from "./admin/audit/audit.js";
import type { RouterContext } from "./context.js";
import { HttpApp } from "./http/app.js";
import type { OpenPath } from "./http/cors-rules.js";
import { Readiness } from "./http/readiness.js";

/** The HTTP server and its readiness. */
export interface OpenedHttp extends Opened {
  readonly app: HttpApp;
  readonly readiness: Readiness;
  /** Starts last and stops first. */
  readonly last: NamedPart;
}

export function openHttp({ settings, redis, metrics, tracing, log }: RouterContext, openPath: OpenPath): OpenedHttp {
  const { delayMs, graceMs } = settings.shutdown;
  const { writer } = redis;
  const auditLog = createAuditLog("router", settings);
  const audit = new Audit({
    writer: new AuditWriter({ append: (rows) => appendRows(writer, rows), metrics, log: auditLog }),
    reads: new AuditWriter({ append: (rows) => appendReads(writer, rows), metrics, log: auditLog }),
  });
  const app = new HttpApp({
    ...settings.http,
    openPath,
    limits: { newcomersPerAddress: settings.newcomersPerAddress },
    audit,
    tracing,
    metrics,
    log,
  });
  const readiness = new Readiness(app, delayMs);
  return {
    app,
    readiness,
    last: ["readiness", readiness, { stopMs: delayMs + 1_000 }],
    lifecycle: [
      ["audit", audit],
      ["http", { start: () => app.listen(), stop: () => app.stop(graceMs) }, { stopMs: graceMs + 2_000 }],
    ],
  };
}
