import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { channelNotFound } from "../../../../shared/contract/whatsapp/errors.js";
import { isBrokenConnection, toApiError } from "../../../../shard/whatsapp/errors.js";
import { ConnectionLost, MessageRefused, QueryTimeout, UploadFailed } from "../../../../shard/whatsapp/network/connection-error.js";

const boom = (message: string, statusCode: number, data?: unknown): Error =>
  Object.assign(new Error(message), { isBoom: true, output: { statusCode }, data });

describe("toApiError", () => {
  it.each([
    ["a lost connection", new ConnectionLost(428), "session not connected"],
    ["silence", new QueryTimeout(), "session not connected"],
    ["the library's own word for a closed connection", boom("Connection Closed", 428), "session not connected"],
    ["a refused message", new MessageRefused("403"), "403: the account may not do this here"],
    [
      "a message of a restricted account",
      new MessageRefused("463"),
      "463: the account is restricted: it may not start a chat with somebody who has not written to it",
    ],
    ["a flood by its other code", new MessageRefused("420"), "420: too many requests of this account: wait before the next one"],
    ["a refusal whose code is new", new MessageRefused("4711"), "4711: the platform refused it"],
    ["an answer of the platform", boom("item-not-found", 500, 404), "404: item-not-found (the platform does not know this chat or person)"],
    ["an answer whose code is new", boom("new-thing", 500, 477), "477: new-thing"],
    ["an answer without a word", boom("", 500, 429), "429: too many requests of this account: wait before the next one"],
    ["an answer without code", boom("missing <group> node", 500), "missing <group> node"],
    [
      "a message that nobody could be encrypted for",
      boom("All encryptions failed", 500),
      "none of the devices that the message is for has usable keys",
    ],
    ["media that no host takes", new UploadFailed(undefined), "Media upload failed on all hosts"],
  ])("words %s", (_, error, message) => {
    expect(toApiError(error)).toMatchObject({ name: "ApiError", status: 500, message });
  });
  it("leaves what it does not know, and what is worded already", () => {
    const defect = new TypeError("x");
    const worded = channelNotFound();
    expect(toApiError(defect)).toBe(defect);
    expect(toApiError(worded)).toBe(worded);
  });
});

describe("isBrokenConnection", () => {
  /** Writes until a write fails. */
  const failedWrite = async (breakIt: (near: Socket, far: Socket) => void): Promise<unknown> => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const near = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    const [[far]] = (await Promise.all([once(server, "connection"), once(near, "connect")])) as [[Socket], unknown];
    breakIt(near, far);
    const write = (): Promise<unknown> => new Promise((resolve) => near.write("x", resolve));
    let error: unknown;
    for (let tries = 0; tries < 100 && !(error instanceof Error); tries += 1) error = await write();
    near.destroy();
    server.close();
    return error;
  };
  it("accepts what Node.js reports to the writer when the far end resets the connection", async () => {
    expect(isBrokenConnection(await failedWrite((_, far) => far.resetAndDestroy()))).toBe(true);
  });
  it("accepts what a reader gets when the far end resets the connection", () => {
    expect(isBrokenConnection(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" }))).toBe(true);
  });
  it("accepts a write after the socket was destroyed", async () => {
    expect(isBrokenConnection(await failedWrite((near) => near.destroy()))).toBe(true);
  });
  it("accepts the library's own error, and nothing else", () => {
    expect(isBrokenConnection(boom("Connection Closed", 428))).toBe(true);
    for (const other of [new TypeError("x"), boom("item-not-found", 500, 404), new QueryTimeout(), "x", undefined])
      expect(isBrokenConnection(other)).toBe(false);
  });
});
