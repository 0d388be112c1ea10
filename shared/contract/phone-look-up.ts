/** GET /phone, after validation: 1 to 50 numbers as the caller wrote them, each once. */
export interface PhoneQuery {
  phones: string[];
}

/** What the platform says of one phone number. Unknown values are empty. */
export interface FoundPhone {
  /** The number as the request names it. */
  phone: string;
  /** True if the number has an account that this account may find. */
  exists: boolean;
  /** Id of the account. Use it as `user` in requests. */
  user: string;
  /** Anonymous id of the account on WhatsApp. Always empty on Telegram. */
  lid: string;
  /** Username without `@`. */
  username: string;
}
