import type { ProductImport } from '#contract/catalogue/imports/imports';

/** Returns rows as a file of products. */
export const productFile = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quote = (cell: unknown) => `"${String(cell ?? '').replaceAll('"', '""')}"`;
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(quote).join(',')}\r\n`)
    .join('');
};

/** Returns a form with a file, as `POST /farm/products/imports` takes it. */
export function fileForm(content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), 'products.csv');
  return form;
}

/** Uploads a file of products to the server at `url`. */
export async function uploadProducts(
  url: string,
  as: { token: string },
  content: string | Uint8Array<ArrayBuffer>,
  query = '',
): Promise<{ status: number; body: { data: ProductImport; message: string; code: string } }> {
  const response = await fetch(`${url}/api/farm/products/imports${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}` },
    body: fileForm(content),
  });
  const body = (await response.json()) as { data: ProductImport; message: string; code: string };
  return { status: response.status, body };
}
