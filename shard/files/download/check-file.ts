import type { ApiError } from "../../../shared/contract/api-error.js";
import { fileFromUrl } from "../../../shared/contract/errors.js";
import { detectBytes, detectType } from "./detect-type.js";
import { judgeType, type FileKind, type NamedType } from "./media-type.js";

/** A file as far as its kind is concerned. */
interface Readable {
  read(offset: number, length: number): Promise<Buffer>;
}

/** `mimetype` is what the file is sent as, `found` what its bytes show. */
export interface CheckedFile {
  readonly mimetype: string;
  readonly found: string | undefined;
}

/**
 * Compares a downloaded file with the type that the caller declared: see `judgeType`. Throws `error parser file from url <why>`; for a file of
 * another kind, what `unsupported` makes of it.
 */
export async function checkFile(
  kind: FileKind,
  given: NamedType,
  file: Readable,
  unsupported: (why: string) => ApiError = fileFromUrl,
): Promise<CheckedFile> {
  const found = await detectType(await file.read(0, detectBytes));
  const verdict = judgeType(kind, given, found);
  switch (verdict.kind) {
    case "accepted":
      return { mimetype: verdict.mimetype, found };
    case "unsupported":
      throw unsupported(verdict.why);
    case "misfit":
      throw fileFromUrl(verdict.why);
    default:
      return verdict satisfies never;
  }
}
