import type { Keyring, MemberRow } from "../../api/operator-rows.js";
import { to } from "../../route/match-route.js";
import { countText } from "../../ui/count-text.js";
import { numberText } from "../../ui/number-text.js";
import { lateMs } from "../members/member-tone.js";
import type { Tally } from "./tally.js";

/** A problem, and the page that shows it. */
export interface Finding {
  readonly tone: "warn" | "bad";
  readonly text: string;
  readonly address: string;
}

/** A few accounts are always reconnecting. From this number on it is a problem. */
const disconnectedMin = 5;
const disconnectedShare = 0.1;

/** Returns the problems, the worst first. `undefined`: not loaded, or not visible to this key. Pure. */
export function notWell(
  members: readonly MemberRow[] | undefined,
  tally: Tally | undefined,
  keyring: Keyring | undefined,
): readonly Finding[] {
  const findings = [
    ...(members === undefined ? [] : ofMembers(members)),
    ...(tally === undefined ? [] : ofSessions(tally)),
    ...(keyring === undefined ? [] : ofKeys(keyring)),
  ];
  return findings.sort((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"));
}

function ofMembers(members: readonly MemberRow[]): Finding[] {
  const address = to("/members");
  const shards = members.filter(({ role, state }) => role === "shard" && state === "active");
  const versions = new Set(
    members.flatMap(({ version, state }) => (version === null || state === "dead" || state === "gone" ? [] : [version])),
  );
  return [
    ...(shards.length === 0 ? [{ tone: "bad", text: "No active shards. All accounts are offline.", address } as const] : []),
    ...members.flatMap(({ name, state, version, loopLagMs }): Finding[] => {
      if (state === "dead") return [{ tone: "bad", text: `${name} is down`, address }];
      if (state === "draining" || state === "drained")
        return [
          {
            tone: "warn",
            text:
              state === "drained"
                ? `${name} is drained. Its sessions run on other shards.`
                : `${name} is draining. Its sessions are moving to other shards.`,
            address,
          },
        ];
      if (state === "active" && version === null) return [{ tone: "warn", text: `No heartbeat from ${name} for 15 s`, address }];
      if (state === "active" && (loopLagMs ?? 0) > lateMs)
        return [{ tone: "warn", text: `${name} is overloaded (event loop lag ${numberText(Math.round(loopLagMs ?? 0))} ms)`, address }];
      return [];
    }),
    ...(versions.size > 1 ? [{ tone: "warn", text: `Mixed versions running: ${[...versions].join(", ")}`, address } as const] : []),
  ];
}

function ofSessions({ connected, disconnected }: Tally): Finding[] {
  const share = disconnected / Math.max(1, connected + disconnected);
  if (disconnected === 0) return [];
  const isMany = disconnected >= disconnectedMin && share > disconnectedShare;
  return [
    {
      tone: isMany ? "bad" : "warn",
      text: `${countText(disconnected, ["account is", "accounts are"])} disconnected`,
      address: to("/sessions", {}, { state: "disconnected" }),
    },
  ];
}

function ofKeys({ keys, rotation, erasure }: Keyring): Finding[] {
  const address = to("/keyring");
  return [
    ...keys
      .filter(({ sealing, missing }) => sealing && missing.length > 0)
      .map(
        ({ id, missing }) =>
          ({ tone: "bad", text: `Encryption key ${id} is active but missing on ${missing.join(", ")}`, address }) as const,
      ),
    ...(rotation !== null && rotation.failed > 0
      ? [{ tone: "warn", text: `${countText(rotation.failed, ["record", "records"])} can't be decrypted`, address } as const]
      : []),
    ...(erasure.problem !== ""
      ? [{ tone: "warn", text: `Redis AOF rewrite ${erasure.problem}. Keys of deleted sessions are still on disk.`, address } as const]
      : []),
  ];
}
