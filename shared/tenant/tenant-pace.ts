/** The fastest pace that can be set. */
export const paceMost = { sendsPerMinute: 6_000, newContactsPerHour: 3_600 } as const;

/** Send limits of each session: messages per minute, and first messages per hour to new contacts. 0: no limit. */
export type PaceName = keyof typeof paceMost;

/** A tenant's own pace; `null` or absent means the deployment's. */
export type OwnPace = { readonly [Name in PaceName]?: number | null };
