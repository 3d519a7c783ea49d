/** A kind of file that is recognised by its first bytes. */
type Signature = {
  name: string;
  /** Bytes as Latin-1 text; "?" stands for any byte. */
  starts: string;
  at?: number;
  /** The signature alone could also begin a text: the file must hold bytes that no text has. */
  isTextToo?: boolean;
};

/** By their specifications and the list of file(1). */
const SIGNATURES: readonly Signature[] = [
  { name: "a PNG image", starts: "\x89PNG\r\n\x1a\n" },
  { name: "a JPEG image", starts: "\xff\xd8\xff" },
  { name: "a GIF image", starts: "GIF8", isTextToo: true },
  { name: "a WebP image", starts: "RIFF????WEBP", isTextToo: true },
  { name: "a WAV sound", starts: "RIFF????WAVE", isTextToo: true },
  { name: "an AVI film", starts: "RIFF????AVI ", isTextToo: true },
  { name: "a BMP image", starts: "BM", isTextToo: true },
  { name: "a TIFF image", starts: "II*\0" },
  { name: "a TIFF image", starts: "MM\0*" },
  { name: "a Photoshop image", starts: "8BPS\0" },
  { name: "an icon", starts: "\0\0\x01\0" },
  { name: "an image of the HEIF family (HEIC, AVIF)", starts: "ftyphe", at: 4 },
  { name: "an image of the HEIF family (HEIC, AVIF)", starts: "ftypmif", at: 4 },
  { name: "an image of the HEIF family (HEIC, AVIF)", starts: "ftypavi", at: 4 },
  { name: "an MPEG-4 film or sound", starts: "ftyp", at: 4, isTextToo: true },
  { name: "a Matroska or WebM film", starts: "\x1a\x45\xdf\xa3" },
  { name: "an MP3 sound", starts: "ID3", isTextToo: true },
  { name: "an MP3 sound", starts: "\xff\xfb" },
  { name: "an Ogg sound or film", starts: "OggS\0" },
  { name: "a FLAC sound", starts: "fLaC\0" },
  { name: "a gzip archive", starts: "\x1f\x8b\x08" },
  { name: "a bzip2 archive", starts: "BZh", isTextToo: true },
  { name: "an xz archive", starts: "\xfd7zXZ\0" },
  { name: "a Zstandard archive", starts: "\x28\xb5\x2f\xfd" },
  { name: "a 7-Zip archive", starts: "7z\xbc\xaf\x27\x1c" },
  { name: "a RAR archive", starts: "Rar!\x1a\x07" },
  { name: "a tar archive", starts: "ustar", at: 257, isTextToo: true },
  { name: "an ELF program", starts: "\x7fELF" },
  { name: "a Windows program", starts: "MZ", isTextToo: true },
  { name: "a Mach-O program", starts: "\xcf\xfa\xed\xfe" },
  { name: "a Mach-O program", starts: "\xce\xfa\xed\xfe" },
  { name: "a Java class or a universal Mach-O program", starts: "\xca\xfe\xba\xbe" },
  { name: "a WebAssembly module", starts: "\0asm" },
  { name: "an SQLite database", starts: "SQLite format 3\0" },
  { name: "a Parquet table", starts: "PAR1", isTextToo: true },
  { name: "an HDF5 file", starts: "\x89HDF\r\n\x1a\n" },
  { name: "a font", starts: "wOFF", isTextToo: true },
  { name: "a font", starts: "wOF2", isTextToo: true },
  { name: "a font", starts: "OTTO\0" },
  { name: "a font", starts: "\0\x01\0\0\0" },
  { name: "a Python pickle", starts: "\x80\x04\x95" },
  { name: "an RTF document", starts: "{\\rtf" },
];

/** Bytes of the start in which a NUL or another control character shows that a file is no text. */
const SAMPLE_BYTES = 1024;

/** With its article, such as "a PNG image"; null for what no signature shows. */
export function signatureOf(bytes: Uint8Array): string | null {
  const isText = !bytes.subarray(0, SAMPLE_BYTES).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x1b) || byte === 0x7f);
  const found = SIGNATURES.find((signature) => !(isText && signature.isTextToo === true) && begins(bytes, signature));
  return found?.name ?? null;
}

function begins(bytes: Uint8Array, { starts, at = 0 }: Signature): boolean {
  if (bytes.length < at + starts.length) return false;
  for (let i = 0; i < starts.length; i++) if (starts[i] !== "?" && bytes[at + i] !== starts.charCodeAt(i)) return false;
  return true;
}
