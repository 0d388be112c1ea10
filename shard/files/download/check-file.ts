import type { ApiError } from "../../../shared/contract/api-error.js";
import { fileFromUrl } from "../../../shared/contract/errors.js";
import { detectBytes, detectType } from "./detect-type.js";
import { judgeType, type FileKind, type NamedType } from "./media-type.js";

/** The part of a file that shows its type. */
interface Readable {
  read(offset: number, length: number): Promise<Buffer>;
}

/** `mimetype` is the type that the file is sent as, `found` the type that its bytes show. */
export interface CheckedFile {
  readonly mimetype: string;
  readonly found: string | undefined;
}

/**
 * Compares a downloaded file with the type that the caller declared (see `judgeType`). Throws `error parser file from url <why>`, or the
 * error of `unsupported` for a file of another kind.
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
