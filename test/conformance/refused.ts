import type { Refused } from "./platform-under-test.js";

export const badRequest = (message: string): Refused => ({ status: 400, message });
export const serverError = (message: string): Refused => ({ status: 500, message });
export const notConnected = serverError("session not connected");
export const sessionNotFound: Refused = { status: 404, message: "session not found" };

/** Returns the whole expected response. */
export const error = ({ status, message }: Refused): object => ({ status, body: { statusCode: status, message } });
