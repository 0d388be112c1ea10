import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const minuteMs = 60_000;

/** Runs `docker compose` with one set of files, under its own project name. */
export class ComposeEngine {
  constructor(
    readonly project: string,
    private readonly files: readonly string[],
    private readonly environment: Readonly<Record<string, string>> = {},
  ) {}

  /** Resolves with the output; rejects with the error output if the command fails. */
  run(args: readonly string[], timeoutMs = 5 * minuteMs): Promise<string> {
    return docker(["compose", "-p", this.project, ...this.files.flatMap((file) => ["-f", file]), ...args], timeoutMs, this.environment);
  }

  /** Builds the image of a service on this base image. BuildKit leaves out the stages that the service does not need. */
  build(service: string, nodeImage: string): Promise<string> {
    return this.run(["build", "--build-arg", `NODE_IMAGE=${nodeImage}`, service], 60 * minuteMs);
  }

  /** Resolves with the output of a command in a service's container. */
  exec(service: string, command: readonly string[]): Promise<string> {
    return this.run(["exec", "-T", service, ...command]);
  }

  /** Resolves with the exit code of a service's stopped container. */
  async exitCode(service: string): Promise<number> {
    const id = (await this.run(["ps", "--all", "--quiet", service])).trim();
    return Number(await docker(["inspect", "--format", "{{.State.ExitCode}}", id]));
  }

  async remove(): Promise<void> {
    await this.run(["down", "--volumes", "--timeout", "5"]);
  }
}

export async function docker(
  args: readonly string[],
  timeoutMs = minuteMs,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute("docker", args, {
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DOCKER_BUILDKIT: "1", ...environment },
  });
  return stdout;
}
