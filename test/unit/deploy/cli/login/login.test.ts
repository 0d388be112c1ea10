import jsqr from "jsqr";
import { create, toBuffer } from "qrcode";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { modulesOf, type Picture } from "../../../../../deploy/cli/login/code-modules.js";
import { halfBlocks } from "../../../../../deploy/cli/login/half-blocks.js";
import { loginStep } from "../../../../../deploy/cli/login/login-step.js";
import { passkeyStep, type PasskeyStep } from "../../../../../deploy/cli/login/passkey-step.js";
import type { PasskeyStatus } from "../../../../../shared/contract/passkey.js";

async function picture(png: Buffer): Promise<Picture> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** Renders the picture that a camera sees: each character is a square with an upper and a lower half. */
function seen(lines: readonly string[], scale = 4): { pixels: Uint8ClampedArray; width: number; height: number } {
  const rows = lines.flatMap((line) => ["▀", "▄"].map((half) => [...line].map((character) => character === "█" || character === half)));
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] !== true) pixels.set([0, 0, 0], (y * width + x) * 4);
  return { pixels, width, height };
}

const texts = ["tg://login?token=AQKfJ1x7cQ2jv1Yk", `2@${"aB3/".repeat(60)},${"x".repeat(44)},${"y".repeat(44)}`];

describe("a code", () => {
  it.each(texts.flatMap((text) => [1, 4, 7].flatMap((scale) => [0, 1, 4].map((margin) => ({ text, scale, margin })))))(
    "is read back from its picture, scale $scale, margin $margin",
    async ({ text, scale, margin }) => {
      const code = create(text);
      const modules = modulesOf(await picture(await toBuffer(text, { scale, margin })));
      expect(modules?.flat().map(Number)).toEqual([...code.modules.data].map(Number));
    },
  );
  it.each(texts)("on the terminal is what the picture was: %s", async (text) => {
    const modules = modulesOf(await picture(await toBuffer(text, { scale: 4 })));
    const { pixels, width, height } = seen(halfBlocks(modules ?? [], false));
    expect(jsqr.default(pixels, width, height)?.data).toBe(text);
  });
  it("has the same lines with colours, of its own foreground and background", () => {
    const modules = [
      [true, false],
      [false, true],
    ];
    expect(halfBlocks(modules, true)).toEqual(halfBlocks(modules, false).map((line) => `\u001b[40;97m${line}\u001b[0m`));
  });
  it("is not found in what is none", () => {
    expect(modulesOf({ width: 8, height: 8, pixels: new Uint8Array(64).fill(255) })).toBeUndefined();
    expect(modulesOf({ width: 8, height: 8, pixels: new Uint8Array(64) })).toBeUndefined();
  });
});

describe("an account with a passkey", () => {
  const status = { state: "none", options: null, code: "", expires: "", reason: "", token: "" } as const;
  const at = "http://gw/passkey#7.t";
  it.each<[Partial<PasskeyStatus>, PasskeyStep]>([
    [
      { state: "challenge", token: "t", expires: "then" },
      { kind: "tell", text: `This account needs its passkey before then. Its owner can confirm it in a browser at ${at}` },
    ],
    [
      { state: "sent", token: "t" },
      { kind: "tell", text: "Passkey accepted. Finishing the link…" },
    ],
    [
      { state: "confirm", token: "t", code: "ABCD-EFGH" },
      { kind: "tell", text: `Check that your phone shows the code ABCD-EFGH, then confirm it at ${at}` },
    ],
    [{ state: "done" }, { kind: "wait" }],
    [
      { state: "failed", reason: "too late" },
      { kind: "failed", why: "too late" },
    ],
    // The session was read before the request of a moment ago.
    [{ state: "none" }, { kind: "wait" }],
  ])("%j", (changed, step) => {
    expect(passkeyStep({ ...status, ...changed }, "http://gw/passkey", "7")).toEqual(step);
  });
});

describe("the next step of a login", () => {
  const record = {
    id: "1",
    generatedId: "",
    name: "Alice",
    username: "",
    phone: "1555",
    sessionId: "",
    isConnected: false,
    qrcode: "",
    isPasswordRequired: false,
    passwordHint: "",
    picture: "",
    webhook: { url: "", token: "" },
  };
  it.each([
    [{}, { kind: "wait" }],
    [{ qrcode: "png" }, { kind: "code", png: "png" }],
    [
      { pairingCode: "ABCD-EFGH", qrcode: "png" },
      { kind: "pairing-code", code: "ABCD-EFGH" },
    ],
    [
      { isPasswordRequired: true, passwordHint: "pet" },
      { kind: "password", hint: "pet" },
    ],
    [{ passwordHint: "a passkey is wanted" }, { kind: "stuck", why: "a passkey is wanted" }],
    [
      { isConnected: true, qrcode: "png" },
      { kind: "connected", name: "Alice", phone: "1555" },
    ],
  ])("of %j is %j", (part, step) => {
    expect(loginStep({ ...record, ...part })).toEqual(step);
  });
});
