import { SessionPace, type PaceStore } from "../../shard/tenant/pace/session-pace.js";

/** Of a session that may send as fast as it can. */
export function noPace(peers: PaceStore): SessionPace {
  return new SessionPace({ rates: () => ({ sends: undefined, newContacts: undefined }), peers, onRefused: () => undefined });
}
