import type { EventType } from "../../shared/contract/webhook-events.js";

/** Returns bodies that PUT /session/webhook rejects with 400 on every platform, and the message. `types`: the platform's events. */
export function refusedWebhooks(types: readonly EventType[]): [body: unknown, message: string][] {
  const both = "url and token must be both filled, or both empty to turn the webhook off";
  const web = "url must be an http or https url";
  const receiver = { url: "http://127.0.0.1/", token: "x" };
  const oneOf = `each value in events must be one of the following values: ${types.join(", ")}`;
  return [
    [{}, "url must be a string\ntoken must be a string"],
    [undefined, "url must be a string\ntoken must be a string"],
    [{ url: null, token: null }, "url must be a string\ntoken must be a string"],
    [{ url: 5, token: ["x"] }, "url must be a string\ntoken must be a string"],
    [{ token: "x" }, "url must be a string"],
    [{ url: "http://127.0.0.1/" }, "token must be a string"],
    [{ url: "", token: 1 }, "token must be a string"],
    [{ url: "http://127.0.0.1/", token: "" }, both],
    [{ url: "", token: "x" }, both],
    [{ url: "nonsense", token: "" }, both],
    [{ url: "nonsense", token: "x" }, web],
    [{ url: "ftp://127.0.0.1/", token: "x" }, web],
    [{ url: "https:/127.0.0.1", token: "x" }, web],
    [{ url: "http://", token: "x" }, web],
    [{ url: "http://host:99999/", token: "x" }, web],
    [{ url: "http://127.0.0.1:0/", token: "x" }, web],
    [{ url: "https://host:000/", token: "x" }, web],
    [{ url: "javascript:alert(1)", token: "x" }, web],
    [{ url: " http://127.0.0.1/", token: "x" }, web],
    [{ url: `http://127.0.0.1/${"a".repeat(2_048)}`, token: "x" }, "url must be at most 2048 bytes"],
    [{ url: "http://127.0.0.1/", token: "x".repeat(2_049) }, "token must be at most 2048 bytes"],
    [{ url: "http://127.0.0.1/", token: "a\r\nx-other: b" }, "token must be printable ascii without spaces around it"],
    [{ url: "http://127.0.0.1/", token: "größe" }, "token must be printable ascii without spaces around it"],
    [{ url: "http://127.0.0.1/", token: " x" }, "token must be printable ascii without spaces around it"],
    [[], "body must be an object"],
    [{ ...receiver, events: "message.new" }, "events must be an array"],
    [{ ...receiver, events: {} }, "events must be an array"],
    [{ ...receiver, events: [] }, "events should not be empty"],
    [{ ...receiver, events: ["message.new", "message.sung"] }, oneOf],
    [{ ...receiver, events: ["test"] }, oneOf],
    [{ ...receiver, events: [5] }, oneOf],
    [{ events: 5 }, "url must be a string\ntoken must be a string\nevents must be an array"],
  ];
}
