import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const deadlineMs = 60_000;

export interface VideoShape {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Without an audio track. */
  readonly isSilent?: boolean;
}

/** Returns a short MP4 with a moving test pattern and a tone. */
export async function makeVideo({ width, height, seconds, isSilent = false }: VideoShape): Promise<Buffer> {
  const sources = ["-f", "lavfi", "-i", `testsrc2=size=${width}x${height}:rate=15`, "-f", "lavfi", "-i", "sine=frequency=440"];
  const sound = isSilent ? ["-an"] : ["-c:a", "aac", "-b:a", "48k"];
  const tail = ["-pix_fmt", "yuv420p", ...sound, "-t", String(seconds), "-movflags", "+faststart"];
  try {
    return await run([...sources, "-c:v", "libx264", "-preset", "veryfast", "-crf", "30", ...tail], "video.mp4");
  } catch {
    // ffmpeg builds without x264 still have an MPEG-4 encoder.
    return await run([...sources, "-c:v", "mpeg4", "-q:v", "8", ...tail], "video.mp4");
  }
}

export async function makeAudio(seconds: number): Promise<Buffer> {
  return await run(["-f", "lavfi", "-i", "sine=frequency=523", "-t", String(seconds), "-c:a", "libmp3lame", "-b:a", "64k"], "audio.mp3");
}

/** Returns a voice note: Ogg with Opus. */
export async function makeVoice(seconds: number): Promise<Buffer> {
  return await run(["-f", "lavfi", "-i", "sine=frequency=220", "-t", String(seconds), "-c:a", "libopus", "-b:a", "16k"], "voice.ogg");
}

async function run(args: readonly string[], name: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "sample-"));
  try {
    const path = join(folder, name);
    await new Promise<void>((resolve, reject) => {
      const child = spawn("ffmpeg", ["-nostdin", "-v", "error", "-y", "-threads", "1", ...args, path], {
        stdio: "ignore",
        timeout: deadlineMs,
        killSignal: "SIGKILL",
      });
      child.once("error", reject);
      child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code ?? "a signal"}`))));
    });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
