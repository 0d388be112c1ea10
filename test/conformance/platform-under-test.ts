import type { EndpointName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { SessionRecord } from "../../shared/contract/session.js";

/** An error as its caller reads it: `{statusCode, message}`. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

/** Method and path with its query, as `POST /message`; a right body, where there is one. */
export interface EndpointUnderTest {
  readonly route: string;
  readonly body?: object;
  /** What the right request is answered while the session is not connected: its error, or "answers" when that makes no difference. */
  readonly unconnected: Refused | "answers";
}

/** Every endpoint that takes a session's credentials: one that a shard answers and that has no row here does not compile. */
export type EndpointsUnderTest<P extends Platform> = Readonly<Record<EndpointName<P> | "get-session", EndpointUnderTest>>;

/** Route, body and the sentence of its 400. A text is sent as it is, anything else as JSON. */
export type RefusedRequest = readonly [route: string, body: unknown, message: string];

/** What a session waits for in place of its QR's scan. */
export interface OtherWait {
  readonly waitsFor: string;
  /** Then it is deleted. */
  readonly lastsMs: number;
  /** Body of `POST /session`. */
  readonly creation?: object;
  /** Whose phone scans the QR. */
  readonly scannedBy?: string;
  readonly isWaiting: (record: SessionRecord & { readonly pairingCode?: string }) => boolean;
}

/** Whom alice can write to: bob, by his number and by his platform's id, and a group of theirs. */
export interface Known {
  readonly phone: string;
  readonly userId: string;
  readonly group: string;
}

/** A recipient of `POST /typing`, and the chat in which the platform hears of it. */
export interface TypingRecipient {
  readonly name: string;
  readonly to: (known: Known) => object;
  readonly chat: (known: Known) => string;
}

/** What the same tests need to know of each platform. What one platform alone has is tested in files of its own. */
export interface PlatformUnderTest<P extends Platform = Platform> {
  readonly platform: P;
  readonly endpoints: EndpointsUnderTest<P>;
  /** Refused with 400 by what the request says, connected or not. */
  readonly refusedRequests: readonly RefusedRequest[];
  /** Bodies of `POST /session` that are refused with 400. */
  readonly refusedCreations: readonly (readonly [body: unknown, message: string])[];
  /** Chats that alice's account does not have, or not in this way: asked for by GET. */
  readonly unknownChats: readonly { readonly path: string; readonly refused: Refused }[];
  /** Method and path that lead nowhere here, though there is something of this name elsewhere. */
  readonly absentRoutes: readonly string[];
  /** Of paths that the platform has. */
  readonly otherMethods: readonly string[];
  /** What a camera reads in a QR. */
  readonly qrText: RegExp;
  /** Roughly when the next QR takes its place, where the document says so. */
  readonly qrRefreshMs?: number;
  /** What the session record has beside the fields that all have, of a session that waits for its QR. */
  readonly ownFields: Readonly<Record<string, unknown>>;
  /** Grace's account, as the record shows it. */
  readonly grace: { readonly [F in "generatedId" | "name" | "username"]: SessionRecord[F] | RegExp };
  /** The recipient of `POST /message` by which every account finds bob. */
  readonly toBob: (phone: string) => object;
  /** A channel as the recipient of `POST /message`. */
  readonly toChannel: (id: string) => object;
  readonly otherWaits: readonly OtherWait[];
  readonly typingTo: readonly TypingRecipient[];
  /** Refused with 400 of alice, who is connected. */
  readonly refusedTyping: readonly (readonly [body: object, message: string])[];
  /** How long an indicator is shown until we take it away; absent where the platform does. */
  readonly typingMs?: number;
}
