/** The Redis responds, but does not fit its setting now. That may change later, so the caller may retry. */
export class UnfitServer extends Error {}
