import { decodePatches, encodeSyncdPatch, type LTHashState, newLTHashState, processSyncAction, proto } from "@whiskeysockets/baileys";
import { beforeAll, describe, expect, it } from "vitest";
import { removedName, saltIn, installMutationDecoders } from "../../../../shard/whatsapp/network/app-state-mutations.js";

const { SyncdOperation } = proto.SyncdMutation;
const keyId = Buffer.alloc(6, 1).toString("base64");
const key = { keyData: Buffer.alloc(32, 2) };
const jid = "628111@s.whatsapp.net";
const ann: proto.ISyncActionValue = { contactAction: { fullName: "Ann", lidJid: "77@lid" } };

type Change = readonly [operation: proto.SyncdMutation.SyncdOperation, index: readonly string[], value: proto.ISyncActionValue];

/** Returns the changes as the library reports them, each in a patch of its own. */
async function reported(...changes: readonly Change[]): Promise<unknown[]> {
  let state: LTHashState = newLTHashState();
  const patches: proto.ISyncdPatch[] = [];
  for (const [operation, index, syncAction] of changes) {
    const made = await encodeSyncdPatch(
      { operation, index: [...index], syncAction, apiVersion: 2, type: "critical_unblock_low" },
      keyId,
      state,
      async () => key,
    );
    state = made.state;
    patches.push(proto.SyncdPatch.decode(proto.SyncdPatch.encode({ ...made.patch, version: { version: state.version } }).finish()));
  }
  const { mutationMap } = await decodePatches(
    "critical_unblock_low",
    patches,
    newLTHashState(),
    async () => key,
    {},
    undefined,
    undefined,
    true,
  );
  const events: unknown[] = [];
  const ev = { emit: (_event: string, data: unknown) => events.push(data) };
  for (const mutation of Object.values(mutationMap)) processSyncAction(mutation, ev as never, { id: "1@s.whatsapp.net", name: "Me" });
  return events;
}

describe("a mutation that removes", () => {
  beforeAll(() => installMutationDecoders());

  const values: readonly [string, proto.ISyncActionValue][] = [
    ["nothing", {}],
    ["an empty contact", { contactAction: {} }],
    ["the former contact", ann],
  ];
  it.each(values)("reports a contact with %s", async (_what, value) => {
    const [[contact]] = (await reported([SyncdOperation.SET, ["contact", jid], ann], [SyncdOperation.REMOVE, ["contact", jid], value])) as [
      [object],
    ];
    expect(contact).toMatchObject({ id: jid, name: removedName });
  });
  it("reports a contact without a number", async () => {
    const [[contact]] = (await reported([SyncdOperation.REMOVE, ["lid_contact", "77@lid"], {}])) as [[object]];
    expect(contact).toMatchObject({ id: "77@lid", name: removedName });
  });
  it("is followed by one that sets the same contact", async () => {
    const changes: Change[] = [
      [SyncdOperation.REMOVE, ["contact", jid], ann],
      [SyncdOperation.SET, ["contact", jid], ann],
    ];
    const [[contact]] = (await reported(...changes)) as [[object]];
    expect(contact).toMatchObject({ id: jid, name: "Ann", lid: "77@lid" });
  });
  it("reports a missing token salt", async () => {
    const [setting] = (await reported([SyncdOperation.REMOVE, ["nct_salt_sync"], {}])) as [{ setting: string; value: unknown }];
    expect(saltIn(setting)).toEqual(Buffer.alloc(0));
    expect(saltIn({ setting: "locale", value: "en_GB" })).toBeUndefined();
  });
  it("a push name does not set it", async () => {
    expect(await reported([SyncdOperation.REMOVE, ["setting_pushName"], { pushNameSetting: { name: "Former" } }])).toEqual([]);
  });
});
