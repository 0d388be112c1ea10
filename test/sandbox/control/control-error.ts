/** What a caller of the control API sees as `{statusCode, message}`. */
export class ControlError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}
