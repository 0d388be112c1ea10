import { Counter, Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import type { RedisPurpose } from "./private-redis.js";

/** How a child ended without being stopped. */
export type ChildEnd = "exited" | "killed" | "hung";

/** Metrics of a supervisor. The names of its children follow from its settings, so they are a closed set. */
export class SupervisorMetrics {
  private readonly up: Gauge<"child">;
  private readonly ends: Counter<"child" | "end">;
  private readonly redisEnds: Counter<"purpose">;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.up = new Gauge({
      name: "gateway_supervisor_children_up",
      help: "1 while the child process is ready and sends heartbeats, else 0",
      labelNames: ["child"],
      registers,
    });
    this.ends = new Counter({
      name: "gateway_supervisor_child_ends_total",
      help: "Child processes that exited unexpectedly and were restarted, by cause",
      labelNames: ["child", "end"],
      registers,
    });
    this.redisEnds = new Counter({
      name: "gateway_supervisor_redis_ends_total",
      help: "Unexpected exits of a Redis that the supervisor runs and restarts",
      labelNames: ["purpose"],
      registers,
    });
  }

  /** Creates a child's series with zeros: a rate needs the zero before the first end. */
  childPlanned(child: string): void {
    this.up.set({ child }, 0);
    for (const end of ["exited", "killed", "hung"] as const) this.ends.inc({ child, end }, 0);
  }

  childReady(child: string): void {
    this.up.set({ child }, 1);
  }

  childEnded(child: string, end: ChildEnd): void {
    this.up.set({ child }, 0);
    this.ends.inc({ child, end });
  }

  redisPlanned(purpose: RedisPurpose): void {
    this.redisEnds.inc({ purpose }, 0);
  }

  redisEnded(purpose: RedisPurpose): void {
    this.redisEnds.inc({ purpose });
  }
}
