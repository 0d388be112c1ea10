/** A Redis answers, but cannot be what its setting says as it is now. It may become that without us: who may wait tries again. */
export class UnfitServer extends Error {}
