export type { SessionReference } from "../session.js";

/** POST /session/password. */
export interface PasswordInput {
  password: string;
}
