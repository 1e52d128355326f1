import {
  importsApi as calls,
  DECIMALS,
  ENCODINGS,
  IMPORT_COLUMNS,
  IMPORT_DAYS,
  IMPORT_OUTCOMES,
  IMPORT_RESULTS,
  IMPORT_ROWS_MAX,
  IMPORT_STATES,
  SEPARATORS,
} from '#contract/catalogue/imports/constants';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { Id, Instant, idParams, named, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const Column = z.enum(IMPORT_COLUMNS);

/** A cell that differs from the product, as the farm's own file writes both. */
const ImportCell = named('ImportCell', { column: Column, from: z.string(), to: z.string() });

const written = {
  /** What became of it when the file was applied; absent until then, and of rows that change nothing. */
  result: z.enum(IMPORT_RESULTS).optional(),
  /** The column that is wrong, where it is one. */
  column: Column.optional(),
  /** Why it is refused. */
  reason: z.string().optional(),
  cells: z.array(ImportCell).optional(),
};

export const ImportRow = named('ImportRow', {
  /** The line of the file where it begins; lines within quotes count too. */
  line: z.int(),
  /** What it would do. */
  outcome: z.enum(IMPORT_OUTCOMES),
  name: z.string(),
  size: z.string().optional(),
  ...written,
});
export type ImportRow = z.infer<typeof ImportRow>;

/** A number of the file that can be read both ways, and the two numbers that it may be. */
const ImportQuestion = named('ImportQuestion', {
  line: z.int(),
  column: Column,
  cell: z.string(),
  point: z.number(),
  comma: z.number(),
});

/** How far it is, and which change of it this is. */
const progress = {
  _id: Id,
  state: z.enum(IMPORT_STATES),
  /** Of the products that it writes: how many are done. */
  done: z.int(),
  total: z.int(),
  version: z.int(),
};

export const ProductImport = named('ProductImport', {
  ...progress,
  /** Only while it is asking. */
  question: ImportQuestion.optional(),
  separator: z.enum(SEPARATORS),
  /** Absent while it is asking, and where the file has no numbers with decimals. */
  decimal: z.enum(DECIMALS).optional(),
  encoding: z.enum(ENCODINGS),
  /** By their lines; none while it is asking. */
  rows: z.array(ImportRow),
  createdAt: Instant,
});
export type ProductImport = z.infer<typeof ProductImport>;

const UploadQuery = z.object({
  /** Which sign is before the decimals. */
  decimal: z.enum(DECIMALS).optional(),
  separator: z
    .enum([...SEPARATORS, 'tab'])
    .transform((sign) => (sign === 'tab' ? '\t' : sign))
    .optional(),
});
export type UploadQuery = z.infer<typeof UploadQuery>;

export const ApplyImport = z.object({ leavesOutRefused: z.literal(true).optional() });
export type ApplyImport = z.infer<typeof ApplyImport>;

export const importEvents = {
  'import.progressed': event({
    data: z.object({
      ...progress,
      rows: z.array(z.object({ line: z.int(), ...written })),
    }),
    summary: 'A part of a file of products was written, or its writing begins.',
    audience: 'The farm.',
    rooms: [['farm']],
  }),
};

const params = idParams(() => t('This import is gone. Choose the file again.'));

export const importsApi = endpoints(calls, {
  download: {
    summary: "The products of the caller's farm as CSV, as an import takes them",
    ...forFarm('read'),
    answer: z.string(),
    rate: 'exports',
  },
  upload: {
    summary: `Compare a CSV file of at most 2 MB and ${IMPORT_ROWS_MAX} rows, in the field "file", with the farm's products; writes nothing, and is kept for ${IMPORT_DAYS} days`,
    ...forFarm('changeProducts'),
    query: UploadQuery,
    answer: one(ProductImport),
    status: 201,
    rate: 'uploads',
    multipart: true,
    failures: [408, 413, 415],
  },
  read: {
    summary: 'What a file of products would change, or has changed',
    ...forFarm('read'),
    params,
    answer: one(ProductImport),
  },
  apply: {
    summary: 'Write what a file of products changes; `import.progressed` says how far it is',
    ...forFarm('changeProducts'),
    params,
    body: ApplyImport,
    answer: one(ProductImport),
    failures: [409],
  },
});
