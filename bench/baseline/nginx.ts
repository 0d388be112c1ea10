import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chunkBytes } from "../../shared/limits.js";
import { eventually } from "../../test/harness/eventually.js";
import { freePort } from "../free-port.js";
import { processTreeCpuSeconds } from "../process-cpu.js";
import type { Target } from "../target.js";

/** Returns a sentence when nginx is not installed. */
export function lacksNginx(): string | undefined {
  const { status } = spawnSync("nginx", ["-v"], { stdio: "ignore", env });
  return status === 0 ? undefined : "there is no nginx; node deploy/setup.mjs bench installs it";
}

/** Debian installs nginx in a folder that may be missing in PATH. */
const env = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };

/**
 * Starts nginx with one worker as a caching media proxy of a gateway. Slices have the length of a chunk and stay for an hour, whatever the
 * response headers say. The worker keeps our user, so that it can write its folder.
 */
export async function startNginx(origin: string): Promise<Target & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "tl-nginx-"));
  const port = await freePort();
  await writeFile(join(folder, "nginx.conf"), configuration(folder, port, origin));
  const nginx = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")], {
    stdio: ["ignore", "ignore", "inherit"],
    env,
  });
  const stop = async (): Promise<void> => {
    await ended(nginx);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually("nginx", async () => {
      if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
      return (await fetch(`http://127.0.0.1:${port}/bench-alive`)).status === 204;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: "nginx, slice, disk cache",
    origin: `http://127.0.0.1:${port}`,
    cpuSeconds: () => processTreeCpuSeconds(nginx.pid ?? 0),
    stop,
  };
}

function configuration(folder: string, port: number, origin: string): string {
  return `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 10000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=media:16m max_size=1g inactive=1h use_temp_path=off;
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location = /bench-alive { return 204; }
    location / {
      slice ${chunkBytes};
      proxy_cache media;
      proxy_cache_key $uri$slice_range;
      proxy_cache_valid 200 206 1h;
      proxy_ignore_headers Cache-Control Expires Vary;
      proxy_set_header Range $slice_range;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_pass ${origin};
    }
  }
}
`;
}

async function ended(nginx: ChildProcess): Promise<void> {
  if (nginx.exitCode !== null || nginx.signalCode !== null || nginx.pid === undefined) return;
  const exit = once(nginx, "exit");
  nginx.kill("SIGTERM");
  await exit;
}
