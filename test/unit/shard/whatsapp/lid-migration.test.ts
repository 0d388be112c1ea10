import { proto, type BinaryNode, type WAMessage } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { announcesMigration, isMigratedAtPairing, isMigratedInSwitches } from "../../../../shard/whatsapp/network/lid-migration.js";

const node = (tag: string, content: NonNullable<BinaryNode["content"]>, attrs: Record<string, string> = {}): BinaryNode => ({
  tag,
  attrs,
  content,
});
const pairing = (props?: Uint8Array): BinaryNode =>
  node("iq", [node("pair-success", props === undefined ? [] : [node("client-props", props)])]);
const migrated = proto.ClientPairingProps.encode({ isChatDbLidMigrated: true }).finish();
const unmigrated = proto.ClientPairingProps.encode({ isChatDbLidMigrated: false }).finish();

describe("an account is migrated to anonymous ids", () => {
  it.each([
    ["says so", pairing(migrated), true],
    ["says that it is not", pairing(unmigrated), false],
    ["says nothing", pairing(), false],
    ["is damaged", pairing(Buffer.from([0xff, 0xff])), false],
  ])("when its pairing %s: %o", (_, stanza, expected) => {
    expect(isMigratedAtPairing(stanza)).toBe(expected);
  });

  it.each([
    ["1", true],
    ["true", true],
    ["0", false],
    [undefined, false],
  ])("when its switch is %s: %s", (value, expected) => {
    const props = value === undefined ? [] : [node("prop", [], { config_code: "9435", config_value: value })];
    expect(isMigratedInSwitches(node("iq", [node("props", props)]))).toBe(expected);
  });

  it.each([
    [true, 1_795_000_000, true],
    [false, 1_795_000_000, false],
    [true, 0, false],
  ])("when its phone says so (from the account itself: %s, since %s): %s", (fromMe, since, expected) => {
    const encodedMappingPayload = proto.LIDMigrationMappingSyncPayload.encode({
      pnToLidMappings: [],
      chatDbMigrationTimestamp: since,
    }).finish();
    const message = { key: { fromMe }, message: { protocolMessage: { lidMigrationMappingSyncMessage: { encodedMappingPayload } } } };
    expect(announcesMigration(message as WAMessage)).toBe(expected);
  });
});
