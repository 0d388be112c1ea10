import type { EndpointName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { SessionRecord } from "../../shared/contract/session.js";
import type { EventType } from "../../shared/contract/webhook-events.js";

/** An error as its caller reads it: `{statusCode, message}`. */
export interface Refused {
  readonly status: number;
  readonly message: string;
}

/** Method and path with query, such as `POST /message`, and a valid body if there is one. */
export interface EndpointUnderTest {
  readonly route: string;
  readonly body?: object;
  /** Response to a valid request while the session is not connected: its error, or "answers" when that makes no difference. */
  readonly unconnected: Refused | "answers";
}

/** Every endpoint with a session's credentials. A shard's endpoint without a row here does not compile. */
export type EndpointsUnderTest<P extends Platform> = Readonly<Record<EndpointName<P> | "get-session", EndpointUnderTest>>;

/** Route, body and the message of its 400. A string is sent unchanged, anything else as JSON. */
export type RefusedRequest = readonly [route: string, body: unknown, message: string];

/** A wait of a session other than for the scan of its QR. */
export interface OtherWait {
  readonly waitsFor: string;
  /** After this time the session is deleted. */
  readonly lastsMs: number;
  /** The body of `POST /session`. */
  readonly creation?: object;
  /** The account whose phone scans the QR. */
  readonly scannedBy?: string;
  readonly isWaiting: (record: SessionRecord & { readonly pairingCode?: string }) => boolean;
}

/** Recipients of alice: Bob, by phone number and by platform id, and a group of both. */
export interface TestContacts {
  readonly phone: string;
  readonly userId: string;
  readonly group: string;
}

/** A recipient of `POST /typing`, and the chat in which the platform receives the indicator. */
export interface TypingRecipient {
  readonly name: string;
  readonly to: (contacts: TestContacts) => object;
  readonly chat: (contacts: TestContacts) => string;
}

/** An event of a platform's own that a receiver gets only if its webhook lists the type. */
export interface ListedEvent {
  readonly type: EventType;
  /** What people do in the sandbox (`POST /people/<action>`) to cause it, and a part of its data. */
  readonly action: "send" | "edit" | "call" | "group";
  readonly fields: object;
  readonly data: object;
}

/** Facts of each platform for the shared tests. Features of one platform are tested in other files. */
export interface PlatformUnderTest<P extends Platform = Platform> {
  readonly platform: P;
  readonly endpoints: EndpointsUnderTest<P>;
  /** Requests that are rejected with 400, whether the session is connected or not. */
  readonly refusedRequests: readonly RefusedRequest[];
  /** Bodies of `POST /session` that are rejected with 400. */
  readonly refusedCreations: readonly (readonly [body: unknown, message: string])[];
  /** GET paths of chats that alice's account does not have, or does not have as this kind. */
  readonly unknownChats: readonly { readonly path: string; readonly refused: Refused }[];
  /** Routes that do not exist on this platform, although the name exists elsewhere. */
  readonly absentRoutes: readonly string[];
  /** Unsupported methods of paths that exist on the platform. */
  readonly otherMethods: readonly string[];
  /** The text in a QR. */
  readonly qrText: RegExp;
  /** Approximate time until the next QR, where the contract states one. */
  readonly qrRefreshMs?: number;
  /** Extra fields of the platform's session record, for a session that waits for its QR. */
  readonly ownFields: Readonly<Record<string, unknown>>;
  /** Grace's account as the session record shows it. */
  readonly grace: { readonly [F in "generatedId" | "name" | "username"]: SessionRecord[F] | RegExp };
  /** The recipient of `POST /message` by which every account finds Bob. */
  readonly toBob: (phone: string) => object;
  /** A channel as the recipient of `POST /message`. */
  readonly toChannel: (id: string) => object;
  readonly otherWaits: readonly OtherWait[];
  readonly typingTo: readonly TypingRecipient[];
  /** Bodies that are rejected with 400 although alice is connected. */
  readonly refusedTyping: readonly (readonly [body: object, message: string])[];
  /** Types that `events` of a webhook may list. */
  readonly eventTypes: readonly EventType[];
  readonly listedEvents: readonly ListedEvent[];
  /** Duration of an indicator that the gateway ends itself; absent where the platform ends it. */
  readonly typingMs?: number;
}
