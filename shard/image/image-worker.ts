import { ImageError } from "./image-error.js";
import { drawQr } from "./qr-image.js";
import type { RenderOutput, RenderResult, RenderTask, RenderTaskName } from "./render-task.js";
import { scaleImage } from "./scale.js";
import { drawTextCard } from "./text-card.js";

/** Entry of a pool thread: runs one task. Never rejects; what went wrong is part of the result. */
export default async function runRenderTask(task: RenderTask): Promise<RenderResult> {
  try {
    return { ok: true, output: await run(task) };
  } catch (error) {
    return { ok: false, fault: faultOf(error), reason: error instanceof Error ? error.message : String(error) };
  }
}

function run(task: RenderTask): Promise<RenderOutput<RenderTaskName>> {
  switch (task.name) {
    case "qr-png":
      return drawQr(task.input.text);
    case "text-card":
      return drawTextCard(task.input.text);
    case "scale-image":
      return scaleImage(task.input);
    default:
      throw new Error(`unknown render task ${JSON.stringify(task satisfies never)}`);
  }
}

/** libvips reports in prose. What is none of these is a file that claims to be a picture and is not a whole one. */
function faultOf(error: unknown): ImageError["detail"] {
  if (error instanceof ImageError) return error.detail;
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit|too large|exceeds/i.test(message)) return "image is too large";
  if (/timeout/i.test(message)) return "timeout";
  return "image is damaged";
}
