import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { isJoinedChannel, isJoinedGroup, toAccount, toChannel, toMember } from "../../../../shard/telegram/convert.js";

/** Users in the form of GramJS, where absent fields are null. */
const user = (fields: Partial<Record<string, unknown>>): Api.User =>
  Object.assign(
    new Api.User({ id: bigInt(42) }),
    { firstName: null, lastName: null, username: null, usernames: null, phone: null },
    fields,
  );
const channel = (fields: Partial<Record<string, unknown>>): Api.Channel =>
  Object.assign(
    new Api.Channel({ id: bigInt(1_900_000_001), title: "News", photo: new Api.ChatPhotoEmpty(), date: 86_400 }),
    { username: null, usernames: null, adminRights: null, left: false },
    fields,
  );

describe("names", () => {
  test.each([
    [
      { firstName: "Ann", lastName: "Lee", username: "ann" },
      { name: "Ann Lee", username: "ann", phone: "" },
    ],
    [{ lastName: "Lee" }, { name: "Lee", username: "", phone: "" }],
    [
      { username: "ann", phone: "49123" },
      { name: "ann", username: "ann", phone: "49123" },
    ],
    [{ phone: "49123" }, { name: "49123", username: "", phone: "49123" }],
    [{}, { name: "42", username: "", phone: "" }],
    [
      { firstName: "Ann", usernames: [new Api.Username({ username: "old" }), new Api.Username({ username: "coll", active: true })] },
      { name: "Ann", username: "coll", phone: "" },
    ],
  ])("%j", (fields, expected) => {
    expect(toMember(user(fields))).toEqual({ id: "42", ...expected });
    expect(toAccount(user(fields), "p")).toEqual({ generatedId: "42", ...expected, picture: "p" });
  });
});

test("a channel's record", () => {
  expect(toChannel(channel({ creator: true, username: "news" }), "")).toEqual({
    id: "-1001900000001",
    name: "News",
    username: "news",
    picture: "",
    isOwner: true,
    created: "1970-01-02T00:00:00.000Z",
  });
  expect(toChannel(channel({ adminRights: new Api.ChatAdminRights({}) }), "").isOwner).toBe(true);
  expect(toChannel(channel({}), "").isOwner).toBe(false);
});

test("distinguishes groups and channels, and converts their members", () => {
  expect(isJoinedChannel(channel({ broadcast: true }))).toBe(true);
  expect(isJoinedChannel(channel({ megagroup: true }))).toBe(false);
  expect(isJoinedChannel(channel({ broadcast: true, left: true }))).toBe(false);
  expect(isJoinedGroup(channel({ megagroup: true }))).toBe(true);
  expect(isJoinedGroup(channel({ gigagroup: true }))).toBe(true);
  expect(isJoinedGroup(channel({ broadcast: true }))).toBe(false);
  const chat = (fields: object): Api.Chat =>
    Object.assign(
      new Api.Chat({ id: bigInt(5), title: "G", photo: new Api.ChatPhotoEmpty(), participantsCount: 1, date: 1, version: 1 }),
      { migratedTo: null },
      fields,
    );
  expect(isJoinedGroup(chat({}))).toBe(true);
  for (const gone of [{ left: true }, { deactivated: true }, { migratedTo: new Api.InputChannelEmpty() }])
    expect(isJoinedGroup(chat(gone))).toBe(false);
  expect(isJoinedGroup(new Api.ChatForbidden({ id: bigInt(5), title: "G" }))).toBe(false);
});
