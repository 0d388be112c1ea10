import { crc32 } from "node:zlib";
import { InvalidBufferError, InvalidChecksumError } from "telegram/errors/index.js";
import type { PromisedNetSockets, PromisedWebSockets } from "telegram/extensions/index.js";
import { ConnectionTCPFull, FullPacketCodec } from "telegram/network/connection/TCPFull.js";

/** GramJS's transport without the copy of every packet that its checksum makes, and without queues between its loops and the socket. */
export class FullConnection extends ConnectionTCPFull {
  // GramJS's loops between its queues and the socket have nothing to do. Its successor has none, so they do not override.
  static {
    for (const loop of ["_sendLoop", "_recvLoop"]) Reflect.set(FullConnection.prototype, loop, async () => undefined);
  }

  override PacketCodecClass = CheckedPacketCodec;

  /** Writes in this turn. Rejects when the connection is closed or the socket refuses the write. */
  override async send(data: Buffer): Promise<void> {
    if (!this._connected) throw new Error("Not connected");
    await this._send(data);
  }

  /** Reads the next packet. Closes the connection when that fails. For one reader at a time. */
  override async recv(): Promise<Buffer> {
    if (!this._connected) throw new Error("Not connected");
    try {
      // What `CheckedPacketCodec` has read.
      return (await this._recv()) as Buffer;
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  }
}

/** length(4, of everything) number(4) payload crc32(4) */
class CheckedPacketCodec extends FullPacketCodec {
  private sent = 0;

  override encodePacket(payload: Buffer): Buffer<ArrayBuffer> {
    const packet = Buffer.allocUnsafe(payload.length + 12);
    packet.writeInt32LE(packet.length, 0);
    packet.writeInt32LE(this.sent++, 4);
    payload.copy(packet, 8);
    const end = packet.length - 4;
    packet.writeUInt32LE(crc32(packet.subarray(0, end)), end);
    return packet;
  }

  override async readPacket(reader: PromisedNetSockets | PromisedWebSockets): Promise<Buffer> {
    const head = await reader.readExactly(8);
    const length = head.readInt32LE(0);
    // The server sends an error number, twice, instead of a packet.
    if (length < 0) throw new InvalidBufferError(await reader.readExactly(4));
    const rest = await reader.readExactly(length - 8);
    const payload = rest.subarray(0, -4);
    const [received, computed] = [rest.readUInt32LE(payload.length), crc32(payload, crc32(head))];
    if (received !== computed) throw new InvalidChecksumError(received, computed);
    return payload;
  }
}
