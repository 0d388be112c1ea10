import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { pathPrefix } from "../../shared/process/settings.js";
import { ownSandbox, type SupervisorSettings } from "./settings.js";

/**
 * File with the addresses of this host's gateway, for commands that know only the data folder. It exists while the gateway is complete,
 * and contains no secret.
 */
export class GatewayFile {
  private readonly file: string;

  /** `sandbox` returns the control API of the sandbox that this host joined. */
  constructor(
    private readonly settings: SupervisorSettings,
    private readonly sandbox: () => string | undefined,
  ) {
    this.file = join(settings.dataDir, "gateway.json");
  }

  write(): void {
    writeFileSync(`${this.file}.new`, `${JSON.stringify(gatewayOf(this.settings, this.sandbox()))}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

function gatewayOf(
  settings: SupervisorSettings,
  joined: string | undefined,
): {
  origin: string;
  paths: Record<Platform, string>;
  sandbox: string | null;
  privateRedis: boolean;
} {
  const { ports, platforms: on, shared } = settings;
  const paths = Object.fromEntries(platforms.map((platform) => [platform, pathPrefix(shared.baseUrls[platform])])) as Record<
    Platform,
    string
  >;
  return {
    origin: `http://127.0.0.1:${ports.http}`,
    paths,
    sandbox: on === "sandbox" ? (joined ?? ownSandbox(settings)) : null,
    privateRedis: settings.redisUrl === undefined,
  };
}
