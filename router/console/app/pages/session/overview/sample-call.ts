import type { SessionRow } from "../../../api/rows.js";
import type { RequestCall } from "../request-code.js";
import { recipients } from "../send/recipients.js";

export interface SampleFacts {
  /** Address of the platform's API. */
  readonly base: string;
  /** Known only just after creation. */
  readonly secret: string | undefined;
  readonly isSandbox: boolean;
}

/** Returns a request that sends a text. Off the sandbox the recipient is a placeholder, so that no stranger gets it. Pure. */
export function sampleCall({ platform, id }: Pick<SessionRow, "platform" | "id">, { base, secret, isSandbox }: SampleFacts): RequestCall {
  const kind = recipients[platform].find(({ sample }) => sample !== undefined);
  const recipient = kind === undefined ? {} : { [kind.value]: (isSandbox ? kind.sample : undefined) ?? "RECIPIENT" };
  return {
    url: `${base}/message`,
    headers: { id, "session-id": secret ?? { env: "SESSION_SECRET" } },
    body: { ...recipient, type: "text", text: "Hello from Trunkline" },
  };
}
