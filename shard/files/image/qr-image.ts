import QRCode from "qrcode";

// The quiet zone that the QR standard requires, in modules. With less some cameras do not find the code.
const quietZone = 4;
const minSide = 300;

/** Draws `text` as a QR code: a black and white PNG, at least 300 pixels wide, with whole pixels per module. */
export async function drawQr(text: string): Promise<Uint8Array> {
  const code = QRCode.create(text, { errorCorrectionLevel: "M" });
  const scale = Math.ceil(minSide / (code.modules.size + 2 * quietZone));
  return QRCode.toBuffer(text, { errorCorrectionLevel: "M", margin: quietZone, scale });
}
