import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";

/** Sends every required field of every type missing and empty, for the four body sections of the contract. */
let gateway: TestCluster;
let caller: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  caller = await loggedIn(gateway, "alice", "whatsapp");
});
afterAll(() => gateway.stop());

const phone = "6281155501002";
type Fields = Record<string, string | number>;
const image: Fields = { url: "http://example.com/a.jpg", mimetype: "image/jpeg" };
const video: Fields = { url: "http://example.com/a.mp4", mimetype: "video/mp4", duration: 3 };
const audio: Fields = { url: "http://example.com/a.mp3", mimetype: "audio/mpeg", duration: 3 };
const document: Fields = { url: "http://example.com/a.pdf", name: "a.pdf", size: 3, mimetype: "application/pdf" };
const location: Fields = { latitude: 1, longitude: 1 };
const contact: Fields = { name: "Ada", phone };

const objects: Record<string, Record<string, Fields>> = {
  "/message": { image, video, audio, document, location, contact },
  "/status": { image, video },
};

async function expectRefused(path: string, body: object, message: string): Promise<void> {
  expect(await caller.send("POST", path, { phone, ...body })).toMatchObject({ status: 400, body: { statusCode: 400, message } });
}

describe.each(
  Object.entries(objects).flatMap(([path, types]) => Object.entries(types).map(([type, whole]) => [path, type, whole] as const)),
)("POST %s of type %s", (path, type, whole) => {
  it.each<[string, unknown]>([
    ["missing", undefined],
    ["null", null],
    ["empty text", ""],
  ])("the object is %s", async (_, given) => {
    await expectRefused(path, { type, [type]: given }, `${type} should not be empty`);
  });

  it.each<[string, unknown]>([
    ["a text", "x"],
    ["a number", 1],
    ["true", true],
    ["a list", []],
    ["a list of objects", [whole]],
  ])("the object is %s", async (_, given) => {
    await expectRefused(path, { type, [type]: given }, `${type} must be an object`);
  });

  it("every field is missing: all are named, in the document's order", async () => {
    await expectRefused(
      path,
      { type, [type]: {} },
      Object.keys(whole)
        .map((field) => `${type}.${field} should not be empty`)
        .join("\n"),
    );
  });

  it.each(Object.keys(whole))("%s is missing, null, empty, of another type", async (field) => {
    const isNumber = typeof whole[field] === "number";
    const empty = `${type}.${field} should not be empty`;
    await expectRefused(path, { type, [type]: { ...whole, [field]: undefined } }, empty);
    await expectRefused(path, { type, [type]: { ...whole, [field]: null } }, empty);
    if (isNumber) await expectRefused(path, { type, [type]: { ...whole, [field]: "" } }, empty);
    const isCoordinate = type === "location";
    await expectRefused(
      path,
      { type, [type]: { ...whole, [field]: isNumber ? 0 : "" } },
      isNumber && !isCoordinate ? `${type}.${field} must be a positive number` : empty,
    );
    const range =
      field === "latitude"
        ? "must be a number from -90 to 90, not text: leave out the quotes"
        : field === "longitude"
          ? "must be a number from -180 to 180, not text: leave out the quotes"
          : isNumber
            ? "must be a positive number"
            : "must be a string";
    await expectRefused(path, { type, [type]: { ...whole, [field]: isNumber ? "1" : 1 } }, `${type}.${field} ${range}`);
  });

  const hasCaption = type !== "location" && type !== "contact" && type !== "audio";
  if (hasCaption) {
    it("a caption that is no text", async () => {
      await expectRefused(path, { type, text: 1, [type]: whole }, "text must be a string");
    });
  }
});

describe.each(["/message", "/status"])("POST %s of type text", (path) => {
  it.each<[unknown, string]>([
    [undefined, "text should not be empty"],
    [null, "text should not be empty"],
    ["", "text should not be empty"],
    [1, "text must be a string"],
    [{ toString: "x" }, "text must be a string"],
  ])("text is %j", async (text, message) => {
    await expectRefused(path, { type: "text", text }, message);
  });
});

describe("recipients: empty ones are not given, and one that cannot be one is none", () => {
  const messageError = "invalid phone, group or newsletter";
  const typingError = "invalid phone or group";
  it.each<[string, object, string]>([
    ["/message", {}, messageError],
    ["/message", { phone: null, group: null, newsletter: null }, messageError],
    ["/message", { phone: "", group: "", newsletter: "" }, messageError],
    ["/message", { phone: "1234" }, messageError],
    ["/message", { phone: "1234567890123456" }, messageError],
    ["/message", { phone: 6281155501002.5 }, messageError],
    ["/message", { phone: ["6281155501002"] }, messageError],
    ["/message", { phone: "6281155501002@s.whatsapp.net" }, messageError],
    ["/message", { phone: "+62 811 5550 10O2" }, messageError],
    ["/message", { group: "120363000000000001" }, messageError],
    ["/message", { newsletter: "120363900000000001" }, messageError],
    ["/message", { group: "status@broadcast" }, messageError],
    ["/typing", {}, typingError],
    ["/typing", { phone: "", group: "" }, typingError],
    ["/typing", { newsletter: "120363900000000001@newsletter" }, typingError],
    ["/typing", { group: "120363900000000001@newsletter" }, typingError],
  ])("POST %s %j", async (path, recipient, message) => {
    const answer = await caller.send("POST", path, { ...recipient, ...(path === "/message" ? { type: "text", text: "x" } : {}) });
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, message } });
  });
});
