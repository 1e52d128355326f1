const KEPT_MS = 60_000;

/** Offers a text as a file to download. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
