import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
export const roles = ["router", "shard", "supervisor", "rewriter", "metrics", "replica", "failover"] as const;
export type UserRole = (typeof roles)[number];

/** Users of deploy/manifests/redis/make-users.mjs in the servers of a topology, and the Sentinels' user that deploy/docs/redis.md names. */
export interface RedisUsers {
  readonly operatorPassword: string;
  passwordOf(role: UserRole): string;
  /** Lines for each server's configuration: its users, and its login at its master. */
  readonly serverConfig: readonly string[];
  /** Lines for a Sentinel that monitors `logins`. */
  readonly sentinelConfig: readonly string[];
  /** Returns the variables for each kind of process, besides the address. */
  envOf(url: string): Readonly<Record<"router" | "shard", Readonly<Record<string, string>>>>;
  remove(): void;
}

export function makeRedisUsers(): RedisUsers {
  const folder = mkdtempSync(join(tmpdir(), "tl-acl-"));
  const file = join(folder, "env");
  writeFileSync(file, "");
  execFileSync(process.execPath, [join(root, "deploy/manifests/redis/make-users.mjs"), file], { stdio: "pipe" });
  const passwords = new Map([...readFileSync(file, "utf8").matchAll(/^(\w+)=(.+)$/gm)].map(([, name = "", value = ""]) => [name, value]));
  const password = (name: string): string => {
    const found = passwords.get(`REDIS_${name}PASSWORD`);
    if (found === undefined) throw new Error(`no password of ${name}`);
    return found;
  };
  const passwordOf = (role: UserRole): string => password(`${role.toUpperCase()}_`);
  const operatorPassword = password("");
  const ofSentinel = /^user gateway on >secret (.*)$/m.exec(readFileSync(join(root, "deploy/docs/redis.md"), "utf8"))?.[1];
  if (ofSentinel === undefined) throw new Error("deploy/docs/redis.md names no user of Sentinels");
  const login = (role: UserRole) => ({ REDIS_USERNAME: role, REDIS_PASSWORD: passwordOf(role) });
  const sentinel = { REDIS_SENTINEL_USERNAME: "gateway", REDIS_SENTINEL_PASSWORD: "secret" };
  return {
    operatorPassword,
    passwordOf,
    serverConfig: [`aclfile ${join(folder, "redis-users.acl")}`, "masteruser replica", `masterauth ${passwordOf("replica")}`],
    sentinelConfig: [
      `sentinel auth-user logins failover`,
      `sentinel auth-pass logins ${passwordOf("failover")}`,
      `sentinel sentinel-user default`,
      `sentinel sentinel-pass ${operatorPassword}`,
      `user default on >${operatorPassword} ~* &* +@all`,
      `user gateway on >secret ${ofSentinel}`,
    ],
    envOf: (url) => {
      const common = url.startsWith("redis+sentinel:") ? sentinel : {};
      const rewriter = { REDIS_REWRITE_URL: url, REDIS_REWRITE_USERNAME: "rewriter", REDIS_REWRITE_PASSWORD: passwordOf("rewriter") };
      return { router: { ...common, ...login("router") }, shard: { ...common, ...login("shard"), ...rewriter } };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
