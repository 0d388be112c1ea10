import { parentPort } from "node:worker_threads";
import type { CodeReply, CodeRequest } from "./code-thread.js";
import { drawQr } from "./qr-image.js";

/** Entry of the thread that draws QR codes. Handles one request after the other. */
parentPort?.on("message", ({ id, text }: CodeRequest) => void serve(id, text));

async function serve(id: number, text: string): Promise<void> {
  let reply: CodeReply;
  try {
    reply = { id, png: await drawQr(text) };
  } catch (error) {
    reply = { id, reason: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
}
