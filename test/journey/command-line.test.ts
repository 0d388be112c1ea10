import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { TestProxy } from "../harness/test-proxy.js";
import { trunkline, trunklineHere, TrunklineRun, type Said } from "../harness/trunkline.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** An operator uses only the command line: logs in, sends, watches, manages keys, drains, backs up, and restores after a loss. */
let gateway: Gateway;
let folder: string;
let env: Record<string, string>;
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.start({ kind: "socks5", login: { user: "ann", password: "c0rrect-h0rse" } });
  gateway = await startGateway({ shards: 2, env: { PROXY_ALLOW: proxy.host } });
  folder = mkdtempSync(join(tmpdir(), "tl-commands-"));
  // The data folder holds the address and the key.
  env = { DATA_DIR: gateway.dataDir };
});
afterAll(async () => {
  await gateway.stop();
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs in this process. Commands at a terminal, behind a pipe or with an interrupt run in their own process, like the first login. */
const run = (...args: string[]): Promise<Said> => trunklineHere(args, env);
/** Runs a command and returns its JSON. Throws with the output when the command fails. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, "--json");
  if (code !== 0) throw new Error(`trunkline ${args.join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}
interface Checked {
  level: string;
  findings: { level: string; about: string; says: string; fix?: string }[];
}
async function doctor(more: Record<string, string> = {}): Promise<Checked & { code: number | null }> {
  const { code, out } = await trunklineHere(["doctor", "--json"], { ...env, ...more });
  return { code, ...(JSON.parse(out) as Checked) };
}
const of = ({ findings }: Checked, about: string): string[] => findings.filter((row) => row.about === about).map(({ level }) => level);
const states = async (): Promise<string[]> => {
  const { out } = await run("session", "list", "--json");
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { label: string; state: string })
    .map(({ label, state }) => `${label} ${state}`)
    .sort();
};

describe("a login", () => {
  it("is a command on each platform, with a two-step password where there is one", async () => {
    const password = join(folder, "password");
    writeFileSync(password, "correct horse\n");
    const [alice, dave, carol] = await Promise.all([
      trunkline(["login", "telegram", "--label", "alice", "--sandbox-scan", "alice"], env),
      run("login", "telegram", "--label", "dave", "--sandbox-scan", "dave", "--password-file", password),
      json("login", "whatsapp", "--label", "shop", "--sandbox-scan", "carol"),
    ]);
    expect(alice).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{24}: connected as Alice Liddell/) as string });
    expect(dave).toMatchObject({ code: 0 });
    expect(carol).toMatchObject({ platform: "whatsapp", isConnected: true });
    expect(await states()).toEqual(["alice connected", "dave connected", "shop connected"]);
  });
  it("prompts for a two-step password at a terminal without echo", async () => {
    const command = `${process.execPath} ${resolve(import.meta.dirname, "../../deploy/trunkline.mjs")} login telegram --label erin --sandbox-scan erin`;
    const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
      env: { PATH: process.env["PATH"], TERM: "xterm", ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let shown = "";
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
    await eventually("the question", () => shown.includes("Two-step password"));
    terminal.stdin.write("пароль🔑\r");
    expect(((await once(terminal, "close")) as [number])[0]).toBe(0);
    expect(shown).toMatch(/[0-9a-f]{24}: connected/);
    expect(shown).not.toContain("пароль");
    expect(await run("session", "delete", "erin", "--yes")).toMatchObject({ code: 0 });
  });
  it("of an account with a passkey shows the address at which its owner approves, and waits", async () => {
    const whatsapp = new WhatsAppSide(gateway);
    const login = new TrunklineRun(["login", "whatsapp", "--label", "peggy", "--sandbox-scan", "passkey"], env);
    const [, page = "", id = "", token = ""] = await eventually(
      "the address",
      () => /at (http:\S+\/passkey)#([0-9a-f]{24})\.(\S+)/.exec(login.said) ?? undefined,
    );
    expect(await (await fetch(page)).text()).toContain("Answer with your passkey");
    const [path, headers] = [`${gateway.whatsapp[0] ?? ""}/session/passkey`, { id, "passkey-token": token }];
    const { options } = (await (await fetch(path, { headers })).json()) as { options: unknown };
    const { body } = await whatsapp.post("/phone/passkey", { account: "passkey", options });
    const request = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
    expect((await fetch(path, request)).status).toBe(200);
    expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining(`${id}: connected`) as string });
    // WhatsApp sends the name a moment after the connection.
    await eventually("her name", async () => (await run("session", "show", "peggy")).out.includes("Peggy"));
    expect(await run("session", "delete", "peggy", "--yes")).toMatchObject({ code: 0 });
  });
  it("that has a wrong password, or an account that is none, says so", async () => {
    const password = join(folder, "wrong");
    writeFileSync(password, "wrong");
    const wrong = await run("login", "telegram", "--label", "late", "--sandbox-scan", "erin", "--password-file", password);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("invalid password (400, request ") as string });
    expect(await run("session", "delete", "late", "--yes")).toMatchObject({ code: 0 });
    const nobody = await run("login", "telegram", "--label", "nobody", "--sandbox-scan", "nobody");
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining("couldn't scan as nobody") as string });
    expect(await run("session", "delete", "nobody", "--yes")).toMatchObject({ code: 0 });
  });
  it("draws the code in the terminal, and Ctrl-C ends it", async () => {
    const login = new TrunklineRun(["login", "whatsapp", "--label", "drawn"], env);
    await eventually("the code", () => /█ ▄▄▄▄▄ █/.test(login.said));
    login.child.kill("SIGINT");
    expect((await login.ended).code).toBe(130);
  });
  it("with a label continues in the session that has it, and --new creates another one", async () => {
    const again = await run("login", "whatsapp", "--label", "drawn", "--sandbox-scan", "dave");
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('label "drawn" waits for its login') as string });
    const third = await run("login", "whatsapp", "--label", "drawn", "--phone", "15550100009");
    expect(third).toMatchObject({ code: 0, err: expect.stringContaining('label "drawn" is logged in already') as string });
    expect((await states()).filter((line) => line.startsWith("drawn"))).toEqual(["drawn connected"]);
    const other = new TrunklineRun(["login", "whatsapp", "--label", "drawn", "--new"], env);
    await eventually("the code", () => /█ ▄▄▄▄▄ █/.test(other.said));
    other.child.kill("SIGINT");
    await other.ended;
    expect((await states()).filter((line) => line.startsWith("drawn"))).toEqual(["drawn awaiting-qr", "drawn connected"]);
    const ids = (await run("session", "list", "--json")).out.split("\n").filter((line) => line.includes('"drawn"'));
    for (const line of ids) await run("session", "delete", (JSON.parse(line) as { id: string }).id, "--yes");
  });
});

describe("a message", () => {
  it("reaches its recipient on each platform, and one that is sent again under its key does so once", async () => {
    const [telegram, whatsapp] = [new TelegramSide(gateway), new WhatsAppSide(gateway)];
    const text = ["--text", "Hello 👋 from a terminal"];
    const sent = await json<{ messageId: string }>("send", "--session", "alice", "--to", "@bob_sandbox", ...text);
    const phone = await whatsapp.phoneOf("bob");
    const once = ["send", "--session", "shop", "--to", `+${phone}`, ...text, "--idempotency-key", "order-1"];
    const [first, again] = [await json<{ messageId: string }>(...once), await json<{ messageId: string }>(...once)];
    expect(again.messageId).toBe(first.messageId);
    expect((await telegram.received("alice", "message")).filter(({ id }) => id === sent.messageId)).toHaveLength(1);
    expect((await whatsapp.received("carol", "message")).filter(({ id }) => id === first.messageId)).toHaveLength(1);
    const picture = ["--image", telegram.fileUrl("photo.jpg"), "--text", "Menu"];
    expect(await run("send", "--session", "alice", "--to", "@bob_sandbox", ...picture)).toMatchObject({ code: 0 });
    expect(await run("story", "--session", "alice", "--text", "A story")).toMatchObject({ code: 0 });
  });
  it("can be reacted to, edited, marked as read and deleted", async () => {
    const text = ["--text", "Open until six"];
    const telegram = ["--session", "alice", "--to", "@bob_sandbox"];
    const whatsapp = ["--session", "shop", "--to", await new WhatsAppSide(gateway).phoneOf("bob")];
    for (const chat of [telegram, whatsapp]) {
      const { messageId } = await json<{ messageId: string }>("send", ...chat, ...text);
      for (const [what, ...options] of [
        ["react", "--emoji", "👍"],
        ["react", "--remove"],
        ["edit", "--text", "Open until nine"],
        ["read"],
        ["delete"],
      ] as const)
        expect(await json("message", what, messageId, ...chat, ...options)).toMatchObject({ messageId });
    }
    expect(await run("message", "react", "1", ...telegram)).toMatchObject({
      code: 2,
      err: expect.stringContaining("use either --emoji or --remove") as string,
    });
    expect(await run("message", "delete", "1", ...telegram)).toMatchObject({
      code: 2,
      err: expect.stringContaining("message not found") as string,
    });
  });
  it("that cannot be sent ends with an exit code", async () => {
    expect(await run("send", "--session", "alice", "--to", "a b", "--text", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("invalid chat") as string,
    });
    expect(await run("send", "--session", "nobody", "--to", "x", "--text", "x")).toMatchObject({
      code: 3,
      err: 'trunkline: no session matches "nobody"\n',
    });
    expect(await run("send", "--session", "alice", "--to", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("nothing to send") as string,
    });
    expect(await run("sesion", "list")).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean session?") as string });
  });
});

describe("a chat", () => {
  interface Listed {
    chat: { id: string };
    last: { text: string };
  }
  /** Returns the id of the chat whose newest message has this text. */
  const chatWith = (session: string, text: string): Promise<string> =>
    eventually(text, async () => {
      const { out } = await run("chat", "list", session, "--limit", "5", "--json");
      const rows = out.split("\n").filter(Boolean);
      return rows.map((line) => JSON.parse(line) as Listed).find(({ last }) => last.text === text)?.chat.id;
    });

  it.each([
    ["alice", "alice", (): TelegramSide | WhatsAppSide => new TelegramSide(gateway)],
    ["shop", "carol", (): TelegramSide | WhatsAppSide => new WhatsAppSide(gateway)],
  ])("of %s is listed, read and held", async (session, account, sideOf) => {
    const side = sideOf();
    const says = (text: string): Promise<unknown> => side.post("/people/send", { account, chat: "bob", text });
    await says("Are you open on Saturday?");
    const chat = await chatWith(session, "Are you open on Saturday?");
    expect((await run("chat", "list", session)).out).toMatch(/^CHAT +KIND +NAME +UNREAD +NEWEST +MESSAGE\n/);
    const held = spawn(process.execPath, [resolve(import.meta.dirname, "../../deploy/trunkline.mjs"), "chat", session, chat], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const closed = once(held, "close") as Promise<[number]>;
    let shown = "";
    held.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
    await eventually("the message so far", () => shown.includes(": Are you open on Saturday?\n"));
    held.stdin.write("Yes, from nine\n\n");
    await eventually("the answer at the platform", async () =>
      JSON.stringify(await side.docs(`/received?platform=${session === "alice" ? "telegram" : "whatsapp"}&account=${account}`)).includes(
        "Yes, from nine",
      ),
    );
    await says("See you then");
    await eventually("the next message", () => shown.includes(": See you then\n"));
    held.stdin.end();
    expect((await closed)[0]).toBe(0);
    // The terminal has what was typed there.
    expect(shown).not.toContain("Yes, from nine");
    const { out } = await run("chat", "show", session, chat, "--limit", "3");
    expect(out.split("\n").map((line) => line.replace(/^\S+ +\S+ +/, ""))).toEqual([
      expect.stringMatching(/: Are you open on Saturday\?$/),
      "you: Yes, from nine",
      expect.stringMatching(/: See you then$/),
      "",
    ]);
  });
  it("that does not exist ends with an exit code", async () => {
    expect((await run("chat", "show", "alice", "no such chat")).code).toBe(2);
    expect((await run("chat", "alice")).code).toBe(2);
  });
});

describe("a gateway", () => {
  it("streams events of its sessions, from any event on", async () => {
    const tail = new TrunklineRun(["tail", "--session", "alice", "--type", "session", "--since", "0-1", "--json"], env);
    await eventually("what was before", () => tail.printed.includes('"connected"'));
    expect(await run("session", "restart", "alice")).toMatchObject({ code: 0 });
    type Event = { id: string; state: string };
    const events = (): Event[] =>
      tail.printed
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Event);
    await eventually(
      "its way back",
      () =>
        events()
          .slice(-2)
          .map(({ state }) => state)
          .join() === "disconnected,connected",
    );
    tail.child.kill("SIGINT");
    expect((await tail.ended).code).toBe(130);
    const since = events().at(-3)?.id ?? "";
    const resumed = await run("tail", "--session", "alice", "--type", "session", "--since", since, "--count", "2", "--json");
    expect(
      resumed.out
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as Event).id),
    ).toEqual(
      events()
        .slice(-2)
        .map(({ id }) => id),
    );
  });
  it("is read into a pipe that closes early", async () => {
    const command = `${process.execPath} ${resolve(import.meta.dirname, "../../deploy/trunkline.mjs")} tail --since 0-1 | head -1`;
    const child = spawn("bash", ["-o", "pipefail", "-c", command], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close") as Promise<[number]>;
    let isOpen = true;
    void closed.then(() => (isOpen = false));
    // A writer notices a closed pipe only at its next line, so another event is needed.
    while (isOpen) expect(await run("session", "restart", "alice")).toMatchObject({ code: 0 });
    expect((await closed)[0]).toBe(0);
  });
  it("creates and revokes keys of tenants, and applies the permissions of each", async () => {
    await json("tenant", "create", "acme", "--quota", "sessions=5", "--pace", "sendsPerMinute=60");
    expect(await run("tenant", "change", "acme", "--pace", "sendsPerMinute=default", "--pace", "newContactsPerHour=0")).toMatchObject({
      code: 0,
      out: "acme: changed, sessions=5 newContactsPerHour=0\n",
    });
    expect((await run("tenant", "list")).out).toMatch(/acme .* sessions=5 +newContactsPerHour=0/);
    expect(await run("tenant", "change", "acme", "--pace", "sendsPerMinute=none")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--pace must be name=number or name=default, not sendsPerMinute=none") as string,
    });
    expect(await run("tenant", "change", "acme", "--warm-up", "14:50")).toMatchObject({
      out: expect.stringContaining("warmUp=14:50") as string,
    });
    expect((await run("tenant", "change", "acme", "--warm-up", "two weeks")).err).toContain("--warm-up must be days:messages or none");
    expect((await run("tenant", "change", "acme", "--warm-up", "none")).out).not.toContain("warmUp");
    expect((await run("tenant", "change", "acme", "--pace", "sends=1")).err).toContain("unknown field pace.sends");
    const { key, id } = await json<{ key: string; id: string }>("key", "create", "--role", "tenant", "--tenant", "acme");
    const theirs = { TRUNKLINE_KEY: key };
    expect(await trunklineHere(["session", "list", "--json"], { ...env, ...theirs })).toMatchObject({ code: 0, out: "" });
    expect((await trunklineHere(["members"], { ...env, ...theirs })).code).toBe(4);
    expect(await json("status")).toMatchObject({
      sessions: expect.arrayContaining([{ platform: "whatsapp", state: "connected", sessions: 1 }]) as object,
    });
    await json("key", "delete", id, "--yes");
    expect(await trunklineHere(["session", "list"], { ...env, ...theirs })).toMatchObject({
      code: 4,
      err: expect.stringContaining("invalid api key") as string,
    });
    expect((await run("tenant", "create", "acme")).code).toBe(6);
    expect(await trunklineHere(["status"], { ...env, TRUNKLINE_URL: "http://127.0.0.1:1" })).toMatchObject({ code: 5 });
  });
  it("has a session, or a tenant, go through a proxy and back, whose login is no argument and is never shown", async () => {
    const shown = proxy.url.replace("ann:c0rrect-h0rse", "***");
    const file = join(folder, "proxy.txt");
    writeFileSync(file, `${proxy.url}\n`);
    expect(await json("session", "proxy", "alice")).toMatchObject({ proxy: { of: "none", address: "" } });
    const said = expect.stringContaining(`proxy ${shown} (session)\n`) as string;
    expect(await run("session", "proxy", "alice", "--file", file)).toMatchObject({ code: 0, out: said });
    await eventually("connected through it", async () => proxy.open > 0 && (await states()).includes("alice connected"));
    expect((await run("session", "show", "alice")).out).toContain(shown);
    expect(await json("session", "proxy", "alice", "--none")).toMatchObject({ proxy: { of: "none", address: "" } });
    await eventually("connected without it", async () => proxy.open === 0 && (await states()).includes("alice connected"));
    await json("tenant", "create", "behind", "--proxy-file", file);
    expect((await run("tenant", "list")).out).toContain(shown);
    expect(await json("tenant", "change", "behind", "--no-proxy")).toMatchObject({ proxy: null });
    const made = await json<{ id: string }>("key", "create", "--role", "create", "--tenant", "behind", "--proxy-file", file);
    expect(made).toMatchObject({ proxy: shown });
    expect((await run("key", "list")).out).toContain(shown);
    expect(await json("key", "change", made.id, "--no-proxy")).toMatchObject({ id: made.id, proxy: null });
    expect(await run("key", "change", made.id, "--proxy-file", file)).toMatchObject({
      code: 0,
      out: expect.stringContaining("changed") as string,
    });
    writeFileSync(file, "proxy.example.com:1080");
    for (const wrong of [
      ["session", "proxy", "alice", "--file", file],
      ["session", "proxy", "alice", "--file", file, "--none"],
      ["tenant", "change", "behind", "--proxy-file", file],
      ["tenant", "change", "behind"],
      ["key", "change", made.id],
      ["key", "change", made.id, "--proxy-file", file],
      ["key", "change", made.id, "--proxy-file", file, "--no-proxy"],
    ])
      expect([wrong, (await run(...wrong)).code]).toEqual([wrong, 2]);
    await json("tenant", "delete", "behind", "--yes");
  });
  it("sets the webhook of a session, whose token is no argument and is never shown", async () => {
    const file = join(folder, "token.txt");
    writeFileSync(file, "s3cret\n");
    const url = "http://127.0.0.1:9/hook";
    const { id } = await json<{ id: string }>("session", "show", "alice");
    expect(await json("webhook", "alice")).toEqual({ id, url: "" });
    const set = ["webhook", "alice", "--endpoint", url, "--token-file", file];
    expect(await json(...set, "--events", "message.new, message.read")).toEqual({ id, url, events: ["message.new", "message.read"] });
    expect((await run("webhook", "alice")).out).toContain(`events go to ${url} (message.new, message.read)`);
    expect(await json(...set)).toEqual({ id, url });
    expect(await run(...set, "--events", "poem")).toMatchObject({
      err: expect.stringContaining("each value in events must be one of the following values: message.new") as string,
    });
    for (const wrong of [
      ["--off", "--events", "message.new"],
      ["--endpoint", url],
      ["--token-file", file],
      ["--events", "message.new"],
    ])
      expect([wrong, (await run("webhook", "alice", ...wrong)).code]).toEqual([wrong, 2]);
    expect((await run("webhook", "alice", "--off")).out).toContain("webhook is off");
  });
  it("drains a shard and waits until nothing is left there", async () => {
    await eventually("two shards that say what they have", async () => (await run("drain", "shard-1", "--no-wait")).code === 0);
    expect(await json("drain", "shard-1")).toMatchObject({ name: "shard-1", state: "drained", slots: 0 });
    expect(of(await doctor(), "members")).toContain("warn");
    expect(await run("undrain", "shard-1")).toMatchObject({ code: 0 });
    await gateway.settled();
  });
});

describe("a deployment", () => {
  const file = (): string => join(folder, "logins.tlb");

  it("that is well has nothing that fails, and a backup that opens", async () => {
    const well = await doctor();
    expect(well.findings.filter(({ level }) => level === "fail")).toEqual([]);
    expect([well.code, of(well, "keys"), of(well, "gateway"), of(well, "redis file")]).toEqual([0, ["ok"], ["ok"], ["ok"]]);
    expect(well.findings.find(({ about }) => about === "fonts")?.says).toMatch(/^[1-9]\d families/);
    const made = await run("backup", file(), "--json");
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("belong to a sandbox. Copy") as string });
    expect(JSON.parse(made.out)).toMatchObject({ sessions: 3, sealing: "a", sandbox: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    expect(await run("backup", file())).toMatchObject({ code: 1, err: expect.stringContaining("already exists") as string });
    expect(await run("restore", file(), "--check")).toMatchObject({ code: 0, err: "" });
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    copyFileSync(join(gateway.dataDir, "secrets.json"), join(elsewhere, "secrets.json"));
    expect(await trunklineHere(["restore", file(), "--check"], { DATA_DIR: elsewhere })).toMatchObject({
      code: 0,
      err: expect.stringContaining(`belong to a sandbox that is not in ${join(elsewhere, "sandbox")}. Copy the sandbox folder`) as string,
    });
    expect(await run("restore", file())).toMatchObject({
      code: 6,
      err: expect.stringContaining("the cluster is running (router-1, shard-1, shard-2, supervisor)") as string,
    });
  });

  it("whose Redis is away gets a fix", async () => {
    const broken = await doctor({ REDIS_URL: "redis://127.0.0.1:1", FFMPEG_PATH: "/nowhere/ffmpeg" });
    expect([broken.code, of(broken, "redis"), of(broken, "ffmpeg")]).toEqual([1, ["fail"], ["fail"]]);
    expect(broken.findings.filter(({ level, fix }) => (level === "ok") !== (fix === undefined))).toEqual([]);
  });

  it("that lost its keys reports it, running or not, and restores no logins that it cannot open", async () => {
    const [secrets, kept] = ["secrets.json", "kept.json"].map((name) => join(gateway.dataDir, name)) as [string, string];
    const right = readFileSync(secrets, "utf8");
    const other = Buffer.alloc(32, 7).toString("base64");
    writeFileSync(kept, right.replace(/"credKeys": "a:[^"]+"/, `"credKeys": "a:${other}"`));
    const lost = await doctor({ CRED_KEYS: `a:${other}` });
    expect([lost.code, of(lost, "keys")]).toEqual([1, ["fail"]]);

    expect(await gateway.interrupt()).toBe(0);
    rmSync(secrets);
    const gone = await doctor();
    expect([gone.code, of(gone, "keys"), of(gone, "gateway")]).toEqual([1, ["fail"], ["warn"]]);
    expect(await run("restore", file())).toMatchObject({ code: 4, err: expect.stringContaining("missing encryption keys") as string });
    renameSync(kept, secrets);
    expect(await run("restore", file())).toMatchObject({
      code: 4,
      err: expect.stringMatching(
        /secrets\.json has a different key a, but this backup needs key a \(fingerprint \S+\); nothing was restored/,
      ) as string,
    });
    writeFileSync(secrets, right);
    expect(await run("restore", file())).toMatchObject({ code: 6, err: expect.stringContaining("is not empty") as string });
  }, 300_000);

  it("that lost its Redis has all logins again without a scan", async () => {
    rmSync(join(gateway.dataDir, "redis"), { recursive: true });
    expect(await run("restore", file())).toMatchObject({ code: 0, out: expect.stringContaining("Restored: 3 sessions") as string });
    gateway = await startGateway({ shards: 2, from: gateway });
    await eventually("all connected", async () => (await states()).join() === "alice connected,dave connected,shop connected");
    expect(await run("send", "--session", "shop", "--to", await new WhatsAppSide(gateway).phoneOf("bob"), "--text", "Back")).toMatchObject({
      code: 0,
    });
    expect(await run("send", "--session", "alice", "--to", "@bob_sandbox", "--text", "Back")).toMatchObject({ code: 0 });
    expect((await json<{ name: string }[]>("tenant", "list")).map(({ name }) => name)).toEqual(["acme", "default"]);
    expect((await run("audit", "--json")).out).toContain('"create-tenant"');
  }, 300_000);
});

describe("a live check", () => {
  it("runs unattended on the sandbox, remembers completed steps, and writes a report without names", async () => {
    const report = join(folder, "report.md");
    const check = (): Promise<Said> => run("live-check", "--sandbox", "heidi", "--report", report, "--json");
    const { code, out } = await check();
    const { failed, steps } = JSON.parse(out) as { failed: string[]; steps: Record<string, { outcome: string; finding: string }> };
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    expect(Object.entries(steps).filter(([, { outcome }]) => outcome !== "passed")).toEqual([]);
    for (const platform of ["whatsapp", "telegram"])
      expect(steps[`${platform}: kill of the shard`]?.finding).toBe("connected without a code, and a text was accepted");
    const text = readFileSync(report, "utf8");
    expect(text.split("\n").filter((line) => line.includes("| passed |"))).toHaveLength(Object.keys(steps).length);
    const { out: lines } = await run("session", "list", "--label", "live-check", "--json");
    const sessions = lines
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { name: string; phone: string; id: string });
    expect(sessions).toHaveLength(2);
    for (const { name, phone, id } of sessions) for (const own of [name, phone, id]) expect(text).not.toContain(own);

    const again = await check();
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining("telegram: kill of the shard: done before") as string });
    expect(readFileSync(report, "utf8")).toBe(text);
  });

  it("reports a failed login, and resumes after an interruption", async () => {
    const report = join(folder, "broken-off.md");
    const args = ["live-check", "--only", "telegram", "--sandbox", "erin", "--report", report];
    // The command has no terminal for the password.
    expect(await run(...args, "--anew")).toMatchObject({ code: 1, err: expect.stringContaining("failed: telegram: login.") as string });
    const rows = (): string[] => readFileSync(report, "utf8").split("\n").slice(6, -1);
    expect(rows()[0]).toMatch(/^\| telegram: login \| failed \| .* \| .*password/);
    expect(rows().filter((row) => row.includes("| not reached |"))).toHaveLength(rows().length - 1);
    const { sessions } = JSON.parse(readFileSync(join(gateway.dataDir, "live-check.json"), "utf8")) as { sessions: { telegram: string } };
    const password = join(folder, "erins-password");
    writeFileSync(password, "пароль🔑");
    expect(await run("login", "--session", sessions.telegram, "--password-file", password)).toMatchObject({ code: 0 });
    // Simulates a run that was killed at its webhook step.
    const telegram = gateway.telegram[0] ?? "";
    const headers = { id: sessions.telegram, "x-api-key": gateway.adminKey, "content-type": "application/json" };
    const body = JSON.stringify({ url: "http://127.0.0.1:9/live-check", token: "left-behind-token" });
    expect(await fetch(`${telegram}/session/webhook`, { method: "PUT", headers, body })).toMatchObject({ status: 200 });

    const broken = new TrunklineRun(args, env);
    await eventually("the first message", () => broken.said.includes("telegram: text to oneself: passed"));
    broken.child.kill("SIGINT");
    expect((await broken.ended).code).toBe(130);
    const whole = await run(...args);
    expect(whole).toMatchObject({ code: 0 });
    for (const step of ["login", "text to oneself"]) expect(whole.err).toContain(`telegram: ${step}: done before`);
    expect(rows().filter((row) => !row.includes("| passed |"))).toEqual([]);
    const record = await fetch(`${telegram}/session`, { headers });
    expect(((await record.json()) as { webhook: { url: string } }).webhook.url).toBe("");
  });

  it("logs in an account that requires its passkey", async () => {
    const check = new TrunklineRun(["live-check", "--anew", "--only", "whatsapp", "--sandbox", "passkey"], env);
    await eventually("the login", () => check.said.includes("whatsapp: login: passed (connected)"));
    check.child.kill("SIGINT");
    expect((await check.ended).code).toBe(130);
  });
});
