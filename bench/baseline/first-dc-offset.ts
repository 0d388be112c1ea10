/** Offset of data centre 1's port from the sandbox's control port. */
export const firstDcOffset = 11;
