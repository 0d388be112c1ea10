import { crc32 } from "node:zlib";
import { InvalidBufferError, InvalidChecksumError } from "telegram/errors/index.js";
import type { PromisedNetSockets, PromisedWebSockets } from "telegram/extensions/index.js";
import { ConnectionTCPFull, FullPacketCodec } from "telegram/network/connection/TCPFull.js";

/** GramJS's transport without the copy of every packet that its checksum makes. */
export class FullConnection extends ConnectionTCPFull {
  override PacketCodecClass = CheckedPacketCodec;
}

/** length(4, of everything) number(4) payload crc32(4) */
class CheckedPacketCodec extends FullPacketCodec {
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
