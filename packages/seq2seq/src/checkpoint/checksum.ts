/** SHA-256 of bytes, in hexadecimal. @throws Error where the page has no Web Crypto (pages not from https or localhost) */
export async function sha256(bytes: Uint8Array): Promise<string> {
  if (!globalThis.crypto?.subtle) {
    throw new Error('sha256: this page has no Web Crypto; serve it from https or localhost');
  }
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
