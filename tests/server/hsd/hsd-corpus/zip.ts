import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Buffer | string;
  /** Not packed. */
  stored?: boolean;
  /** The size that the directory claims, where it lies. */
  claimedSize?: number;
  /** General purpose flags: bit 0 says encrypted. */
  flags?: number;
  /** Points at the data of the entry of this number instead of its own (overlapping entries). */
  sameAs?: number;
}

/** Many entries may share one content. */
const packedOnce = new WeakMap<Buffer, Buffer>();
function pack(data: Buffer): Buffer {
  const packed = packedOnce.get(data) ?? deflateRawSync(data);
  packedOnce.set(data, packed);
  return packed;
}

/** A zip written byte by byte, so that each of its claims can be a lie. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  const heads: Buffer[] = [];
  let at = 0;
  for (const [index, { name, content, stored = false, claimedSize, flags = 0, sameAs }] of entries.entries()) {
    const data = typeof content === 'string' ? Buffer.from(content) : content;
    const packed = stored ? data : pack(data);
    const fileName = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags | 0x800, 2);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedSize ?? data.length, 18);
    common.writeUInt16LE(fileName.length, 22);
    offsets.push(sameAs === undefined ? at : (offsets[sameAs] ?? 0));
    if (sameAs === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, fileName, packed]);
      parts.push(local);
      at += local.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offsets[index] ?? 0, 10);
    heads.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, rest, fileName]));
  }
  const directory = Buffer.concat(heads);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length & 0xffff, 8);
  end.writeUInt16LE(entries.length & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
