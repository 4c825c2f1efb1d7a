/** Offers a file to the user's downloads. */
export function saveFile(content: Blob | string, name: string): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content]) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // the download has begun long before
}
