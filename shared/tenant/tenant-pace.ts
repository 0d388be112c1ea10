/** The fastest pace that can be set. */
export const paceMost = { sendsPerMinute: 6_000, newContactsPerHour: 3_600 } as const;

/** How fast each session may send: messages a minute, and first messages an hour to people with whom it has exchanged none. 0: as fast as it can. */
export type PaceName = keyof typeof paceMost;

/** What of it a tenant has for itself; `null`, or nothing: the deployment's. */
export type OwnPace = { readonly [Name in PaceName]?: number | null };
