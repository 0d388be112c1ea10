import { ImageError } from "../media/image-error.js";
import type { RenderOutput, RenderResult, RenderTask, RenderTaskName } from "./render-task.js";

/** Entry of a pool thread: runs one task. A failure is part of the result. Rejects only when the drawing code cannot be loaded. */
export default async function runRenderTask(task: RenderTask): Promise<RenderResult> {
  const run = await runnerOf(task);
  try {
    return { ok: true, output: await run() };
  } catch (error) {
    return { ok: false, fault: faultOf(error), reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The picture decoders are a quarter of what a shard loads at its start, so they are loaded with the first picture. */
async function runnerOf(task: RenderTask): Promise<() => Promise<RenderOutput<RenderTaskName>>> {
  switch (task.name) {
    case "text-card": {
      const { drawTextCard } = await import("./text-card.js");
      return () => drawTextCard(task.input.text);
    }
    case "scale-image": {
      const { scaleImage } = await import("./scale.js");
      return () => scaleImage(task.input);
    }
    default:
      throw new Error(`unknown render task ${JSON.stringify(task satisfies never)}`);
  }
}

/** libvips reports in prose. Any other message means that the file claims to be a picture and is damaged. */
function faultOf(error: unknown): ImageError["detail"] {
  if (error instanceof ImageError) return error.detail;
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit|too large|exceeds/i.test(message)) return "image is too large";
  if (/timeout/i.test(message)) return "timeout";
  return "image is damaged";
}
