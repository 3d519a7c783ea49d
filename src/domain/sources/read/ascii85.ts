/** ASCII base 85 as PDF has it (ISO 32000-1, 7.4.3), up to its end mark. The last group of less than five letters is left out. */
export function decodeAscii85(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let group = 0;
  let letters = 0;
  const write = () => {
    for (const shift of [24, 16, 8, 0]) bytes[length++] = (group >>> shift) & 0xff;
    [group, letters] = [0, 0];
  };
  for (const letter of text) {
    if (letter === 0x7e || length + 4 > bytes.length) break;
    if (letter === 0x7a && letters === 0) write();
    if (letter < 0x21 || letter > 0x75) continue;
    group = (group * 85 + letter - 0x21) >>> 0;
    if (++letters === 5) write();
  }
  return bytes.subarray(0, length);
}
