import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { PlatformSide } from "../harness/platform-side.js";

/** PATCH /profile, POST /block and DELETE /block on both platforms, as the platform and other people see them. */
let gateway: TestCluster;
const callers = {} as Record<Platform, Caller>;
const phones = {} as Record<Platform, string>;
beforeAll(async () => {
  gateway = await startCluster();
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, "carol", platform);
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
});
afterAll(() => gateway.stop());

interface Shown {
  readonly name?: string;
  readonly pushName?: string;
  readonly about: string;
  readonly blocked: readonly string[];
  readonly hasPhoto?: boolean;
  readonly pictures?: number;
}

const error = (status: number, message: string): object => ({ status, body: { statusCode: status, message } });

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<{ readonly type: string }> => new PlatformSide(gateway, platform);
  const carol = (): Caller => callers[platform];
  const change = (body: object): Promise<ApiResponse> => carol().send("PATCH", "/profile", body);
  const done = (): object => ({ status: 200, body: { id: carol().credentials.id } });
  const shown = async (): Promise<Shown> => (await side().post("/phone/settings", { account: "carol" })).body as Shown;
  const hasPicture = async (): Promise<boolean> => {
    const { hasPhoto, pictures = 0 } = await shown();
    return hasPhoto ?? pictures > 0;
  };

  it("a new name and text are shown, and the name also in the session's record", async () => {
    const name = "Carol K. Ярова";
    expect(await change({ name, about: "Fresh bread 🥖" })).toMatchObject(done());
    await eventually("the name", async () => {
      const { name: full, pushName } = await shown();
      return (full ?? pushName) === name;
    });
    expect((await shown()).about).toBe("Fresh bread 🥖");
    await eventually("the record", async () => (await carol().record()).name === name);
  });

  it("an empty text removes the text", async () => {
    await change({ about: "x" });
    expect(await change({ about: "" })).toMatchObject(done());
    expect((await shown()).about).toBe("");
    expect(await change({ about: "y" })).toMatchObject(done());
  });

  it("a new picture is shown in the record, and can be removed", async () => {
    expect(await change({ picture: side().fileUrl("photo.png") })).toMatchObject(done());
    expect(await hasPicture()).toBe(true);
    await eventually("the picture", async () => (await carol().record()).picture.startsWith("data:image/jpeg;base64,"));
    const before = (await carol().record()).picture;
    expect(await change({ picture: side().fileUrl("photo.jpg") })).toMatchObject(done());
    await eventually("the new picture", async () => ![before, ""].includes((await carol().record()).picture));
    expect(await change({ picture: "" })).toMatchObject(done());
    expect(await hasPicture()).toBe(false);
    await eventually("no picture", async () => (await carol().record()).picture === "");
  });

  it("a file that is no picture changes nothing", async () => {
    const about = (await shown()).about;
    for (const file of ["document.pdf", "none.jpg"])
      expect(await change({ about: "not this", picture: side().fileUrl(file) })).toMatchObject({ status: 500 });
    expect((await shown()).about).toBe(about);
  });

  it("what the platform refuses is its sentence", async () => {
    const method = platform === "telegram" ? "account.updateProfile" : "iq status status";
    const refusal = platform === "telegram" ? "FLOOD_WAIT_900" : "406 not-acceptable";
    await side().fault({ account: "carol", kind: "error", method, error: platform === "telegram" ? "ABOUT_TOO_LONG" : refusal, times: 1 });
    const { status, body } = await change({ about: "refused" });
    const { message } = body as { message: string };
    expect([status, message]).toEqual([
      500,
      platform === "telegram"
        ? "400: ABOUT_TOO_LONG (caused by account.UpdateProfile)"
        : "406: not-acceptable (the platform does not accept this)",
    ]);
  });

  const block = (body: object, headers = {}): Promise<ApiResponse> => carol().send("POST", "/block", body, headers);
  const unblock = (query: Record<string, string>): Promise<ApiResponse> =>
    carol().send("DELETE", `/block?${new URLSearchParams(query).toString()}`);

  it("a blocked person's messages do not arrive, until the person is unblocked", async () => {
    const phone = phones[platform];
    const bob = await loggedIn(gateway, "bob", platform);
    const carolsPhone = await side().phoneOf("carol");
    const write = (text: string): Promise<ApiResponse> => bob.send("POST", "/message", { phone: carolsPhone, type: "text", text });
    for (let n = 0; n < 2; n++) expect(await block({ phone })).toMatchObject(done());
    expect((await shown()).blocked).toHaveLength(1);
    const sent = await write("from a blocked person");
    if (platform === "telegram") expect(sent).toMatchObject(error(500, "400: USER_IS_BLOCKED (caused by messages.SendMessage)"));
    else {
      // The server accepts the message and delivers it to no one, as on the platform.
      expect(sent.status).toBe(200);
      const row = (await side().received("bob", "message")).at(-1);
      expect(row).toMatchObject({ text: "from a blocked person", audience: [] });
    }
    for (let n = 0; n < 2; n++) expect(await unblock({ phone })).toMatchObject(done());
    expect((await shown()).blocked).toHaveLength(0);
    expect((await write("welcome back")).status).toBe(200);
    if (platform === "whatsapp") expect((await side().received("bob", "message")).at(-1)).toMatchObject({ audience: [carolsPhone] });
  });

  it("a person is named by an id too", async () => {
    const user = platform === "telegram" ? "bob_sandbox" : `${phones.whatsapp}@s.whatsapp.net`;
    expect(await block({ user })).toMatchObject(done());
    expect((await shown()).blocked).toHaveLength(1);
    expect(await unblock({ user })).toMatchObject(done());
    expect((await shown()).blocked).toHaveLength(0);
  });

  it("nobody to block is the platform's error", async () => {
    const expected =
      platform === "telegram"
        ? error(400, "phone is not on telegram or hidden by its privacy settings")
        : error(500, "404: the platform does not know this chat or person");
    expect(await block({ phone: "99900000000" })).toMatchObject(expected);
  });

  it("the account itself cannot be blocked", async () => {
    const { status, body } = await block({ phone: await side().phoneOf("carol") });
    expect([status, (body as { message: string }).message]).toEqual([
      500,
      platform === "telegram"
        ? "400: CONTACT_ID_INVALID (caused by contacts.Block)"
        : "406: not-acceptable (the platform does not accept this)",
    ]);
  });

  it("a block that is repeated with its key is answered from its record", async () => {
    const key = { "idempotency-key": randomUUID() };
    const phone = phones[platform];
    const first = await block({ phone }, key);
    const second = await block({ phone }, key);
    expect([second.status, second.body, second.headers.get("idempotency-replayed")]).toEqual([200, first.body, "true"]);
    await unblock({ phone });
  });
});
