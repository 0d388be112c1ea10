import typia from "typia";
import { Child } from "../child.js";
import type { Target } from "../target.js";
import type { BaselineResponse } from "./baseline-response.js";

/** Starts a baseline server in a process of its own. The caller must stop it. */
export async function startBaseline(
  name: string,
  response: BaselineResponse,
  signal: AbortSignal,
): Promise<Target & { stop(): Promise<void> }> {
  const child = Child.start(name, "./baseline/baseline-process.js", signal);
  try {
    const { port } = isStarted(await child.request({ kind: "start", response }, responseTimeoutMs));
    return {
      name,
      origin: `http://127.0.0.1:${port}`,
      cpuSeconds: async () => isCpu(await child.request({ kind: "cpu" }, responseTimeoutMs)).cpuSeconds,
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

const responseTimeoutMs = 15_000;
const isStarted = typia.createAssert<{ port: number }>();
const isCpu = typia.createAssert<{ cpuSeconds: number }>();
