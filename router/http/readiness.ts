import { pause } from "../../shared/flow/pause.js";
import type { HttpApp } from "./app.js";

/** Reports readiness only between start and stop. Balancers see the end of readiness before connections are refused. */
export class Readiness {
  private phase: "starting" | "serving" | "stopping" = "starting";

  constructor(
    private readonly app: Pick<HttpApp, "leave">,
    /** Time for balancers to notice, in milliseconds. */
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
