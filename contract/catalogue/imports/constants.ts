import type { Calls } from '#contract/platform/http/constants';

/** The largest file of products, and how many rows it may have below its headings. */
export const IMPORT_BYTES_MAX = 2 * 1024 * 1024;
export const IMPORT_ROWS_MAX = 2000;
/** How long what a file would change is kept. */
export const IMPORT_DAYS = 7;
/** How many products are written in one transaction. */
export const IMPORT_BATCH = 50;

/** The columns of a file of products. They are keys, the same in every language. */
export const IMPORT_COLUMNS = [
  ...(['id', 'sku', 'name', 'description', 'category', 'unit'] as const),
  ...(['size', 'sizeId', 'content'] as const),
  ...(['price', 'stock', 'availability', 'step', 'minimum', 'organic', 'active'] as const),
  ...(['harvestDate', 'availableUntil', 'allergens', 'image'] as const),
];
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** `asking`: its numbers can be read both ways; `ready`: nothing is written yet; `applying`; `done`. */
export const IMPORT_STATES = ['asking', 'ready', 'applying', 'done'] as const;
export const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused'] as const;
/** `edited`: the product was edited after the file was compared with it, so nothing was written. */
export const IMPORT_RESULTS = ['written', 'edited', 'refused'] as const;

export const DECIMALS = ['point', 'comma'] as const;
export type DecimalSign = (typeof DECIMALS)[number];
export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type FileEncoding = (typeof ENCODINGS)[number];

export const importsApi = {
  download: { method: 'GET', path: '/farm/products.csv' },
  upload: { method: 'POST', path: '/farm/products/imports' },
  read: { method: 'GET', path: '/farm/products/imports/:id' },
  apply: { method: 'POST', path: '/farm/products/imports/:id/apply' },
} as const satisfies Calls;
