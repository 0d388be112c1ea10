/**
 * The QR codes of one registration, each shown for a while. The library makes the first one; the others differ from it by the platform's reference, and by the secret once the platform takes the former one no longer.
 * They are changed here because the library would end the connection with the last one, also when the phone has long taken one and its owner looks for a passkey.
 */
export class QrCodes {
  private references: readonly string[] = [];
  private made: MadeCode | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly show: (text: string) => void;
      /** Nobody took any of them. */
      readonly ended: () => void;
      /** Of each code; undefined: a minute for the first, 20 s for the others, as the platform's own client. */
      readonly qrMs: number | undefined;
    },
  ) {}

  /** The platform's references, the present one among them or before them. */
  take(references: readonly string[]): void {
    this.references = references;
  }

  /** The library has made the code of the first reference. */
  begin(text: string): void {
    this.made = takeApart(text);
    const { reference } = this.made;
    this.references = this.references.slice(this.references.indexOf(reference) + 1);
    this.options.show(text);
    this.next(this.options.qrMs ?? firstMs);
  }

  /** Another secret stands in them from now on. */
  renew(secret: string): void {
    if (this.made === undefined || this.timer === undefined) return;
    this.made = { ...this.made, secret };
    this.options.show(toText(this.made));
  }

  /** No further one is shown. */
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

function takeApart(text: string): MadeCode {
  const at = text.indexOf("#");
  const [reference = "", noiseKey = "", identity = "", secret = "", platform = ""] = text.slice(at + 1).split(",");
  return { address: text.slice(0, at), reference, keys: [noiseKey, identity], secret, platform };
}

function toText({ address, reference, keys, secret, platform }: MadeCode): string {
  return `${address}#${[reference, ...keys, secret, platform].join(",")}`;
}
