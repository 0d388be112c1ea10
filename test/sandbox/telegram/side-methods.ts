/**
 * Calls that file connections make too, such as the authorisation on a foreign data centre. They do not make a connection an owner,
 * neither for the duplicate-key rule nor for `GET /overlaps`.
 */
export const sideMethods: ReadonlySet<string> = new Set([
  "upload.GetFile",
  "upload.GetFileHashes",
  "upload.SaveFilePart",
  "upload.SaveBigFilePart",
  "help.GetConfig",
  "auth.ImportAuthorization",
]);
