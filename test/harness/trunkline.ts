import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { Readable } from "node:stream";

export interface Said {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line as an operator does, with its own environment. */
export class TrunklineRun {
  readonly child: ChildProcess;
  readonly ended: Promise<Said>;
  private out = "";
  private err = "";

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [resolve(import.meta.dirname, "../../deploy/trunkline.mjs"), ...args], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.out += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.err += text));
    this.ended = once(this.child, "close").then(([code]) => ({ code: code as number | null, out: this.out, err: this.err }));
  }

  /** Standard output so far. */
  get printed(): string {
    return this.out;
  }

  /** Error output so far. */
  get said(): string {
    return this.err;
  }
}

export function trunkline(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  return new TrunklineRun(args, env).ended;
}

/** Runs the built command line in this process, which saves a process start. It has no terminal for prompts. */
export async function trunklineHere(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Said> {
  const built = new URL("../../dist/deploy/cli/run-cli.js", import.meta.url);
  const { runCli } = (await import(built.href)) as typeof import("../../deploy/cli/run-cli.js");
  const said = { out: "", err: "" };
  const into = (part: "out" | "err") => ({ write: (text: string) => void (said[part] += text) });
  const stdin = Object.assign(Readable.from([]), { isTTY: false }) as unknown as NodeJS.ReadStream;
  const environment = { PATH: process.env["PATH"], ...env };
  const code = await runCli(args, { environment, stdin, stdout: into("out"), stderr: into("err"), signal: new AbortController().signal });
  return { code, ...said };
}
