import { describe, expect, it } from "vitest";
import { TargetGuard, TargetRefused } from "../../../../shard/webhook/target-guard.js";

const named: Record<string, string[]> = {
  public: ["8.8.8.8"],
  mixed: ["8.8.8.8", "169.254.169.254"],
  inside: ["10.0.0.1"],
  localhost: ["127.0.0.1", "::1"],
  redis: ["10.0.0.9"],
  nothing: [],
};
const resolve = (name: string) =>
  Promise.resolve((named[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
const guard = (allowPrivate: boolean, own: string[] = []): TargetGuard => new TargetGuard({ allowPrivate, own, resolve });
const reaches = async (target: TargetGuard, host: string, port = 80): Promise<boolean> => {
  try {
    return (await target.addresses(host, port)).length > 0;
  } catch (error) {
    if (error instanceof TargetRefused) return false;
    throw error;
  }
};

/** The addresses that a downloader rejects. A webhook may reach those that are merely local. */
const local = [
  "127.0.0.1",
  "127.1.2.3",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "fc00::1",
  "fd12::1",
];
const never = [
  ...[
    "169.254.169.254",
    "198.18.0.1",
    "192.0.0.8",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "0.0.0.0",
    "0.1.2.3",
    "255.255.255.255",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
  ],
  ...[
    "::",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "fe80::1",
    "fec0::1",
    "fd00:ec2::254",
    "ff02::1",
  ],
  ...[
    "2001:db8::1",
    "100::1",
    "::ffff:0:7f00:1",
    "::ffff:169.254.169.254",
    "::ffff:0.0.0.0",
    "5f00::1",
    "3fff::1",
    "2001:20::1",
    "100.100.100.200",
    "[fe80::1]",
    "[fd00:ec2::254]",
  ],
];

describe("where a webhook may go", () => {
  it.each(local)("%s: yes, unless local addresses are turned off", async (address) => {
    expect([await reaches(guard(true), address), await reaches(guard(false), address)]).toEqual([true, false]);
  });
  it.each(never)("%s: never", async (address) => {
    expect([await reaches(guard(true), address), await reaches(guard(false), address)]).toEqual([false, false]);
  });
  it.each(["8.8.8.8", "2606:4700::1111", "[2606:4700::1111]", "public"])("%s: always", async (address) => {
    expect([await reaches(guard(true), address), await reaches(guard(false), address)]).toEqual([true, true]);
  });
  it("refuses a name for one wrong address among right ones, and a name without any", async () => {
    expect(await reaches(guard(true), "mixed")).toBe(false);
    expect(await reaches(guard(true), "nothing")).toBe(false);
    expect([await reaches(guard(true), "inside"), await reaches(guard(false), "inside")]).toEqual([true, false]);
  });
  it("connects to no unusual port of the public network when local addresses are turned off", async () => {
    expect([
      await reaches(guard(true), "8.8.8.8", 25),
      await reaches(guard(false), "8.8.8.8", 25),
      await reaches(guard(false), "8.8.8.8", 8443),
    ]).toEqual([true, false, true]);
  });
  it("rejects addresses that will never be called in advance, but not resolver failures", async () => {
    const target = new TargetGuard({
      allowPrivate: true,
      own: ["127.0.0.1:6379"],
      resolve: (name) => (name === "away" ? Promise.reject(new Error("EAI_AGAIN")) : resolve(name)),
    });
    const refuses = (url: string): Promise<boolean> => target.refuses(new URL(url));
    for (const url of [
      "http://169.254.169.254/latest/meta-data",
      "https://[fe80::1]/",
      "http://0x7f000001:6379/",
      "http://mixed/",
      "http://localhost:6379/",
      "http://224.0.0.1/",
    ])
      expect(await refuses(url), url).toBe(true);
    for (const url of ["http://127.0.0.1:7777/", "https://public/", "http://away/", "http://localhost:6380/"])
      expect(await refuses(url), url).toBe(false);
  });
  it("never reaches our own servers, by any name of this machine", async () => {
    const target = guard(true, ["127.0.0.1:6379", "redis:7000", "[::1]:7001", "0.0.0.0:7002"]);
    for (const host of ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::ffff:127.0.0.1]"])
      expect(await reaches(target, host, 6379), host).toBe(false);
    expect(await reaches(target, "localhost", 7001)).toBe(false);
    expect(await reaches(target, "127.0.0.1", 7002)).toBe(false);
    expect([
      await reaches(target, "10.0.0.9", 7000),
      await reaches(target, "redis", 7000),
      await reaches(target, "redis", 7003),
      await reaches(target, "127.0.0.1", 7000),
    ]).toEqual([false, false, true, true]);
    expect(await reaches(target, "127.0.0.1", 6380)).toBe(true);
  });
});
