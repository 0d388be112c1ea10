import { fileFromUrl } from "../../shared/contract/errors.js";
import { sniffBytes, sniffType } from "./sniff-type.js";

/** A file as far as its kind is concerned. */
interface Readable {
  read(offset: number, length: number): Promise<Buffer>;
}

/**
 * Throws `error parser file from url unsupported <kind> format` for a file whose first bytes say that it is something else, such as the page of a
 * site that wants a login. Neither a name nor a declared type counts. Pictures and sounds that we cannot decode may still be good on a phone.
 */
export async function requireKind(kind: "image" | "audio", file: Readable): Promise<void> {
  const type = sniffType(await file.read(0, sniffBytes));
  if (!(kind === "image" ? isPicture(type) : mayBeSound(type))) throw fileFromUrl(`unsupported ${kind} format`);
}

/** The platforms' clients show no drawings. */
function isPicture(type: string | undefined): boolean {
  return type !== undefined && type.startsWith("image/") && type !== "image/svg+xml";
}

/** Containers of films hold sound alone, too; several formats of sound have no signature. */
function mayBeSound(type: string | undefined): boolean {
  return type === undefined || type.startsWith("audio/") || type.startsWith("video/");
}
