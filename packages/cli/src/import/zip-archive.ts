import { crc32, deflateRawSync } from "node:zlib";

export type ZipFile = {
  name: string;
  content: string | Uint8Array;
  /** What the directory says of its unpacked size, where that is not the truth. */
  claimedBytes?: number;
};

/** A zip archive of these files (PKWARE APPNOTE 6.3.10, without zip64). Names are written as they are, however wrong. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes } of files) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const title = Buffer.from(name);
    const sizes = { crc: crc32(plain), packed: packed.length, plain: claimedBytes ?? plain.length };
    const local = Buffer.concat([headerOf(0x04034b50, sizes, title), title, packed]);
    directory.push(Buffer.concat([headerOf(0x02014b50, { ...sizes, offset }, title), title]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listed, end]);
}

type Sizes = { crc: number; packed: number; plain: number; offset?: number };

/** The header before a file, or that of the directory, which has an offset. */
function headerOf(signature: number, { crc, packed, plain, offset }: Sizes, name: Buffer): Buffer {
  const isListed = offset !== undefined;
  const header = Buffer.alloc(isListed ? 46 : 30);
  const at = isListed ? 2 : 0;
  header.writeUInt32LE(signature, 0);
  header.writeUInt16LE(20, 4);
  if (isListed) header.writeUInt16LE(20, 6);
  header.writeUInt16LE(0x0800, 6 + at);
  header.writeUInt16LE(8, 8 + at);
  header.writeUInt32LE(crc, 14 + at);
  header.writeUInt32LE(packed, 18 + at);
  header.writeUInt32LE(plain, 22 + at);
  header.writeUInt16LE(name.length, 26 + at);
  if (isListed) header.writeUInt32LE(offset, 42);
  return header;
}
