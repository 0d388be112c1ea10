import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError } from "../../../shared/config/env.js";
import { requireHttpEngine } from "../../../shared/process/http-engine.js";
import { portRefusal } from "../../supervisor/free-ports.js";
import { holderOfPort } from "../../supervisor/port-holder.js";
import { plannedPorts, readSupervisorSettings } from "../../supervisor/settings.js";
import type { Environment } from "../settings.js";
import { fail, ok, type Finding } from "./finding.js";
import { judgeDisk, judgeFfmpeg, judgeFonts, judgeMemory, judgeNode, judgePorts } from "./judge-host.js";
import { judgeTelegramOfStart } from "./judge-telegram.js";

/** Root of the checkout or the image, relative to the compiled file. */
const checkout = new URL("../../../../", import.meta.url);
const programMs = 10_000;

/** Examines what a gateway needs from this machine. `dataDir` need not exist. */
export async function examineHost(environment: Environment, dataDir: string): Promise<Finding[]> {
  const { engines } = JSON.parse(readFileSync(new URL("package.json", checkout), "utf8")) as { engines: { node: string } };
  return [
    judgeNode(process.versions.node, engines.node),
    judgeEngine(),
    await examineFfmpeg(environment["FFMPEG_PATH"] || "ffmpeg"),
    examineFonts(),
    judgeDisk(dataDir, freeBytes(dataDir)),
    judgeMemory(availableBytes(), totalmem()),
  ];
}

/** Checks whether a start with these settings finds its ports free. Called only if no gateway of ours runs. */
export async function examineStart(environment: Environment): Promise<Finding[]> {
  try {
    const { settings } = readSupervisorSettings(environment);
    const planned = plannedPorts(settings);
    const states = planned.map(async ({ port, owner }) => {
      const refused = await portRefusal(port);
      return { port, owner, refused, holder: refused === "EADDRINUSE" ? holderOfPort(port) : undefined };
    });
    return [judgePorts(await Promise.all(states)), ...judgeTelegramOfStart(settings.telegramApiId)];
  } catch (error) {
    if (error instanceof ConfigError) return [fail("settings", error.problems.join("; "), "correct these environment variables")];
    throw error;
  }
}

function judgeEngine(): Finding {
  try {
    requireHttpEngine();
    return ok("http engine", "compatible with this Node and OS");
  } catch (error) {
    return fail("http engine", error instanceof Error ? error.message : String(error), "use a Node version and OS that the README lists");
  }
}

function examineFfmpeg(program: string): Promise<Finding> {
  return new Promise((resolve) => {
    execFile(program, ["-version"], { timeout: programMs }, (error, stdout) => {
      resolve(judgeFfmpeg(program, error === null ? /^ffmpeg version (\S+)/.exec(stdout)?.[1] : undefined));
    });
  });
}

/** Checks the packages that the local package of fonts lists. */
function examineFonts(): Finding {
  const list = readFileSync(new URL("shard/files/image/fonts/package.json", checkout), "utf8");
  const wanted = Object.keys((JSON.parse(list) as { dependencies: Record<string, string> }).dependencies);
  return judgeFonts(
    wanted.length,
    wanted.filter((name) => !hasFont(fileURLToPath(new URL(`node_modules/${name}`, checkout)))),
  );
}

function hasFont(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder, { recursive: true, encoding: "utf8" }).some((file) => file.endsWith(".ttf"));
}

function freeBytes(folder: string): number {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return bavail * bsize;
}

/** Linux reports memory including reclaimable caches; other systems report only free memory. */
function availableBytes(): number {
  try {
    return Number(/^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1]) * 1024;
  } catch {
    return freemem();
  }
}
