/**
 * Shows the QR codes of one registration in turn. The library makes the first; later ones get another reference, and after `renew` another
 * secret. The library would end the connection with the last code, even during a linking by passkey.
 */
export class QrCodes {
  private references: readonly string[] = [];
  private made: MadeCode | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly show: (text: string) => void;
      /** Called when all codes have expired unused. */
      readonly ended: () => void;
      /** Lifetime of each code in milliseconds; undefined: a minute for the first, 20 s for the others, as in the platform's own client. */
      readonly qrMs: number | undefined;
    },
  ) {}

  /** Sets the platform's references. The current one may be among them. */
  take(references: readonly string[]): void {
    this.references = references;
  }

  /** Shows the code of the first reference, which the library has made. */
  begin(text: string): void {
    this.made = parseCode(text);
    const { reference } = this.made;
    this.references = this.references.slice(this.references.indexOf(reference) + 1);
    this.options.show(text);
    this.next(this.options.qrMs ?? firstMs);
  }

  /** Replaces the secret in this code and all later ones. */
  renew(secret: string): void {
    if (this.made === undefined || this.timer === undefined) return;
    this.made = { ...this.made, secret };
    this.options.show(toText(this.made));
  }

  /** Shows no more codes. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private next(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const [reference, ...rest] = this.references;
      if (this.made === undefined || reference === undefined) return this.options.ended();
      this.references = rest;
      this.made = { ...this.made, reference };
      this.options.show(toText(this.made));
      this.next(this.options.qrMs ?? nextMs);
    }, ms);
  }
}

const firstMs = 60_000;
const nextMs = 20_000;

interface MadeCode {
  readonly address: string;
  readonly reference: string;
  /** Public keys of the device. */
  readonly keys: readonly string[];
  readonly secret: string;
  readonly platform: string;
}

function parseCode(text: string): MadeCode {
  const at = text.indexOf("#");
  const [reference = "", noiseKey = "", identity = "", secret = "", platform = ""] = text.slice(at + 1).split(",");
  return { address: text.slice(0, at), reference, keys: [noiseKey, identity], secret, platform };
}

function toText({ address, reference, keys, secret, platform }: MadeCode): string {
  return `${address}#${[reference, ...keys, secret, platform].join(",")}`;
}
