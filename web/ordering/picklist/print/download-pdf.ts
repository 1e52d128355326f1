import { downloadFile, fetchFile } from '../../../platform/api/download.ts';

/**
 * Downloads a PDF of the API.
 * @throws ApiError on an error status or no response
 */
export async function downloadPdf(
  path: string,
  query: Readonly<Record<string, string>>,
  name: string,
): Promise<void> {
  downloadFile(name, await fetchFile(path, { query }));
}
