import { readToken } from '../session/session.ts';
import { apiUrl, readAnswer, request } from './api.ts';

const KEPT_MS = 60_000;

/** Offers a text as a file to download. */
export const downloadText = (name: string, type: string, text: string): void =>
  downloadFile(name, new Blob([text], { type }));

/** Offers a file to download. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/**
 * Fetches a file of the API, such as a PDF.
 *
 * @throws ApiError on an error status, or no response
 */
export function fetchFile(path: string, input: Parameters<typeof apiUrl>[1] = {}): Promise<Blob> {
  const token = readToken();
  return request(apiUrl(path, input), { token }, async (response) =>
    response.ok ? response.blob() : readAnswer(response, await response.text(), token),
  );
}
