import type { IqRequest } from "./iq-request.js";

/** What clients bring with their questions, those that are asked here. */
export interface Variables {
  readonly input?: ChannelInput & { readonly key?: string; readonly type?: string };
  /** Baileys has it as `input`. */
  readonly newsletter_input?: ChannelInput;
  readonly newsletter_id?: string;
  readonly updates?: ChannelInput;
  readonly fetch_viewer_metadata?: boolean;
}

export interface ChannelInput {
  readonly name?: string | null;
  readonly description?: string | null;
  /** JPEG in base64; empty for none. */
  readonly picture?: string | null;
}

export type Query = (request: IqRequest, variables: Variables) => unknown;

export function failure(code: number, message: string): unknown {
  return { data: null, errors: [{ message, extensions: { error_code: code, severity: "CRITICAL", is_retryable: false } }] };
}
