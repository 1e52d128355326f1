import type { Calls } from '#contract/platform/http/constants';

export const picklistApi = {
  list: { method: 'GET', path: '/farm/picklist' },
  orders: { method: 'GET', path: '/farm/picklist/orders' },
  days: { method: 'GET', path: '/farm/picklist/days' },
  print: { method: 'POST', path: '/farm/picklist/prints' },
  readPrint: { method: 'GET', path: '/farm/picklist/prints/:id' },
  tick: { method: 'PUT', path: '/farm/picklist/ticks' },
  markSeen: { method: 'PUT', path: '/farm/picklist/seen' },
  pack: { method: 'PUT', path: '/orders/:id/packing' },
} as const satisfies Calls;

/** Orders that one answer of the pick list has at most. */
export const PICK_PAGE = 200;
/** Characters; as long as the name of a product can be. */
export const PICK_NAME_MAX = 120;
/** The most of a product that can be ticked off for a day. */
export const TICK_MAX = 1_000_000;
/** Changes that one call marks as seen. */
export const SEEN_MAX = 500;

/** Hours before the handover from which the farm is notified of changes that nobody has seen. */
export const UNSEEN_HOURS = 12;

/** The paper that labels are printed on: sheets of A4 and of US letter, and a roll of 62 mm. */
export const LABEL_FORMATS = ['avery_l7160', 'avery_5160', 'roll_62'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];
/** What a label is for. */
export const LABEL_SUBJECTS = ['order', 'line'] as const;
/** How labels name customers: `Ann Lee` or `A. L.`. */
export const LABEL_NAMES = ['full', 'initials'] as const;
/** Labels that one file has at most. */
export const LABELS_MAX = 2000;
/**
 * The sheets of a day beside the pick list: a slip for each order, what goes into the van for each place, and the
 * driver's deliveries by time.
 */
export const DAY_SHEETS = ['packing_slips', 'loading_list', 'run_sheet'] as const;
export type DaySheet = (typeof DAY_SHEETS)[number];
/** Orders that one file of them has at most. */
export const SHEET_ORDERS_MAX = 500;

/** Where PDFs are fetched from, below `/api`; like all calls with the session's token in the header. */
export const picklistFiles = {
  /** A print on A4; `changes=true` shows only what changed since the print before. */
  print: (id: string) => `/farm/picklist/prints/${id}.pdf`,
  /** Labels of a day's accepted orders: see `LabelsQuery`. */
  labels: '/farm/picklist/labels.pdf',
  /** A day's accepted orders on A4: see `DaySheetQuery`. */
  sheets: '/farm/picklist/sheets.pdf',
  /** A poster on A4 with a code that leads to the farm's page. */
  poster: '/farm/poster.pdf',
} as const;
