/** Lone surrogates have no UTF-8, and SQL's text functions stop at NUL: both become U+FFFD, which keeps every offset. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
