import type { IqRequest } from "./iq-request.js";

/** The variables of the queries that the sandbox handles. */
export interface Variables {
  readonly input?: ChannelInput & { readonly key?: string; readonly type?: string };
  /** Baileys names this field `input`. */
  readonly newsletter_input?: ChannelInput;
  readonly newsletter_id?: string;
  readonly updates?: ChannelInput;
  readonly fetch_viewer_metadata?: boolean;
}

export interface ChannelInput {
  readonly name?: string | null;
  readonly description?: string | null;
  /** A JPEG in base64; empty removes the picture. */
  readonly picture?: string | null;
}

export type Query = (request: IqRequest, variables: Variables) => unknown;

export function failure(code: number, message: string): unknown {
  return { data: null, errors: [{ message, extensions: { error_code: code, severity: "CRITICAL", is_retryable: false } }] };
}
