/**
 * Calls that connections for files make too: with these a connection is not yet its account's owner, neither for the rule that destroys a key used from two addresses nor for
 * `GET /overlaps`. On a foreign data centre such a connection first brings its authorisation.
 */
export const sideMethods: ReadonlySet<string> = new Set([
  "upload.GetFile",
  "upload.GetFileHashes",
  "upload.SaveFilePart",
  "upload.SaveBigFilePart",
  "help.GetConfig",
  "auth.ImportAuthorization",
]);
