// Classes of ASCII code points, as the URL parser asks for them (Infra Standard, section 4.6).
export const isASCIIDigit = (c) => c >= 0x30 && c <= 0x39;
export const isASCIIAlpha = (c) => (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
export const isASCIIAlphanumeric = (c) => isASCIIAlpha(c) || isASCIIDigit(c);
export const isASCIIHex = (c) =>
  isASCIIDigit(c) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);
