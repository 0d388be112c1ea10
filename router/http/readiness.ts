import { pause } from "../../shared/flow/pause.js";
import type { HttpApp } from "./app.js";

/** Callers are served between its start and its stop alone: balancers see the end of that before connections are refused. */
export class Readiness {
  private phase: "starting" | "serving" | "stopping" = "starting";

  constructor(
    private readonly app: Pick<HttpApp, "leave">,
    /** How long balancers have to see it. */
    private readonly delayMs: number,
  ) {}

  problems(): string[] {
    return this.phase === "serving" ? [] : [this.phase];
  }

  start(): void {
    this.phase = "serving";
  }

  async stop(): Promise<void> {
    this.phase = "stopping";
    this.app.leave();
    await pause(this.delayMs);
  }
}
