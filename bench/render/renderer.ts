import typia from "typia";
import { Child } from "../child.js";
import type { Engine, Rendered, RenderMessage, RenderWork } from "./render-messages.js";

/** Renders in a process of its own. The caller must stop it. */
export class Renderer {
  private constructor(private readonly child: Child<RenderMessage>) {}

  static async start(engine: Engine, folder: string, signal: AbortSignal): Promise<Renderer> {
    const child = Child.start<RenderMessage>(`${engine} renderer`, "./render/render-bench-process.js", signal);
    try {
      await child.request({ kind: "start", engine, folder }, startMs);
      return new Renderer(child);
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  async run(work: RenderWork, inFlight: number, seconds: number): Promise<Rendered> {
    return isRendered(await this.child.request({ kind: "run", work, inFlight, seconds }, seconds * 1000 + startMs));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const startMs = 60_000;
const isRendered = typia.createAssert<Rendered>();
