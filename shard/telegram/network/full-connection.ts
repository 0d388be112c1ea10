import { crc32 } from "node:zlib";
import { InvalidBufferError, InvalidChecksumError } from "telegram/errors/index.js";
import type { PromisedNetSockets, PromisedWebSockets } from "telegram/extensions/index.js";
import { ConnectionTCPFull, FullPacketCodec } from "telegram/network/connection/TCPFull.js";

/** GramJS's transport, which would copy every packet to compute its checksum. */
export class FullConnection extends ConnectionTCPFull {
  override PacketCodecClass = CheckedPacketCodec;
}

/** length(4, of everything) number(4) payload crc32(4) */
class CheckedPacketCodec extends FullPacketCodec {
  override async readPacket(reader: PromisedNetSockets | PromisedWebSockets): Promise<Buffer> {
    const head = await reader.readExactly(8);
    const length = head.readInt32LE(0);
    // Instead of a packet: an error number, twice.
    if (length < 0) throw new InvalidBufferError(await reader.readExactly(4));
    const rest = await reader.readExactly(length - 8);
    const payload = rest.subarray(0, -4);
    const [said, computed] = [rest.readUInt32LE(payload.length), crc32(payload, crc32(head))];
    if (said !== computed) throw new InvalidChecksumError(said, computed);
    return payload;
  }
}
