/** Variant A has no endpoint yet: its adapter comes with the issue "WhatsApp". Every path under its prefix answers 404. */
export type WhatsAppEndpoints = Record<never, { input: unknown; output: unknown }>;
