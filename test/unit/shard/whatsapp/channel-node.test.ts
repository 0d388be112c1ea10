import { describe, expect, it } from "vitest";
import { isChannelNode, isGone, toChannel } from "../../../../shard/whatsapp/channel/channel-node.js";

const aNode = (more: object = {}) => ({
  id: "1@newsletter",
  state: { type: "ACTIVE" },
  thread_metadata: { creation_time: "1700000000", name: { text: "News" }, picture: { direct_path: "/p" }, preview: null },
  viewer_metadata: { role: "owner" },
  ...more,
});

describe("toChannel", () => {
  it("reads the platform's fields", () => {
    expect(toChannel(aNode(), "media.example")).toEqual({
      id: "1@newsletter",
      name: "News",
      picture: "https://media.example/p",
      isOwner: true,
      created: "2023-11-14T22:13:20.000Z",
    });
  });
  it.each([
    ["OWNER", true],
    ["admin", true],
    ["SUBSCRIBER", false],
    ["GUEST", false],
  ])("role %s: owner %s", (role, isOwner) => {
    expect(toChannel(aNode({ viewer_metadata: { role } }), "h").isOwner).toBe(isOwner);
  });
  it("does without what is missing", () => {
    expect(toChannel({ id: "1@newsletter", thread_metadata: null, viewer_metadata: null }, "h")).toEqual({
      id: "1@newsletter",
      name: "",
      picture: "",
      isOwner: false,
      created: "",
    });
  });
  it("recognizes a deleted channel", () => {
    expect(isGone(aNode({ state: { type: "deleted" } }))).toBe(true);
    expect(isGone(aNode())).toBe(false);
    expect(isChannelNode({ id: null, state: { type: "NON_EXISTING" } })).toBe(false);
  });
});
