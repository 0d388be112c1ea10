/** The fastest pace that can be set. */
export const paceMost = { sendsPerMinute: 6_000, newContactsPerHour: 3_600 } as const;

/** Send limits of each session: messages per minute, and first messages per hour to new contacts. 0: no limit. */
export type PaceName = keyof typeof paceMost;

/** The largest values of a warm-up. */
export const warmUpMost = { days: 365, from: 100_000 } as const;

/** Slows young accounts: `from` messages on the first day after linking, growing evenly to the full pace within `days` days. */
export interface WarmUp {
  readonly days: number;
  readonly from: number;
}

/** A tenant's own limits; `null` or absent: the deployment's, which has no warm-up. */
export type OwnPace = { readonly [Name in PaceName]?: number | null } & { readonly warmUp?: WarmUp | null };
