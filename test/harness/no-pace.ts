import type { PaceStore } from "../../shard/tenant/pace/pace-store.js";
import { SessionPace } from "../../shard/tenant/pace/session-pace.js";

/** Returns the pace of a session without send limits. */
export function noPace(peers: PaceStore): SessionPace {
  return new SessionPace({ rates: () => ({ sends: undefined, newContacts: undefined }), peers, onRefused: () => undefined });
}
