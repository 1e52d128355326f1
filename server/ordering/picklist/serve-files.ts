import type { Context, Next } from 'koa';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { LABELS_MAX, picklistFiles, SHEET_ORDERS_MAX } from '#contract/ordering/picklist/constants';
import {
  DaySheetQuery,
  LabelsQuery,
  type PicklistQuery,
  type PickOrder,
  PrintFileQuery,
} from '#contract/ordering/picklist/picklist';
import { Id } from '#contract/platform/http/http';
import type { z } from '#contract/platform/http/zod';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { msg, t } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';
import { forbidden, invalidField, notFound, unauthorized } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { farmKey, userKey } from '../../platform/http/rate-limit.ts';
import { bearerTokenOf, parseQuery } from '../../platform/http/route.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { actingFarm, requirePermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { readSkus } from '../model/skus.ts';
import { readLastPrint } from './list.ts';
import { readHandoversOf, readIndex, readOrdersOf, scopeOf } from './orders.ts';
import type { Document } from './paper/document.ts';
import { getPrint } from './print.ts';

const PRINT = new RegExp(`^/api${picklistFiles.print('([^/]+)').replace('.pdf', '\\.pdf')}$`);
const LABELS = `/api${picklistFiles.labels}`;
const SHEETS = `/api${picklistFiles.sheets}`;
const POSTER = `/api${picklistFiles.poster}`;
const PAPERS: readonly string[] = [LABELS, SHEETS, POSTER];

/**
 * Serves prints, labels and sheets of pick lists and the farm's poster as PDF, to everyone of the farm. They are written
 * while they are sent; like the API they ask for the session's token in the header, so no other site can embed them.
 * What draws them is loaded with the first file: it would take up a tenth of the server's start.
 */
export function servePicklistFiles(platform: Platform) {
  return async (ctx: Context, next: Next) => {
    const [, printId] = PRINT.exec(ctx.path) ?? [];
    const isPaper = printId !== undefined || PAPERS.includes(ctx.path);
    if (ctx.method !== 'GET' || !isPaper) return next();
    const user = await authenticate(platform, ctx);
    const farmId = actingFarm(user);
    const file = await inLanguageOf(user.language, async () =>
      printId !== undefined
        ? await printFile(platform, farmId, printId, parseQuery(PrintFileQuery, ctx.query))
        : ctx.path === POSTER
          ? await posterFile(platform, farmId)
          : ctx.path === LABELS
            ? await labelsFile(platform, farmId, parseQuery(LabelsQuery, ctx.query))
            : await daySheetFile(platform, farmId, parseQuery(DaySheetQuery, ctx.query)),
    );
    ctx.status = 200;
    ctx.type = 'application/pdf';
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Disposition', `attachment; filename="${file.name}"`);
    ctx.body = file.doc;
  };
}

/** @returns who asks for files of their farm */
async function authenticate(platform: Platform, ctx: Context): Promise<SessionUser> {
  const token = bearerTokenOf(ctx);
  if (!token) throw unauthorized();
  const session = await platform.sessions.verify(token);
  if (!session) throw unauthorized(msg('Your session has ended. Please sign in again.'));
  if (session.user.role !== 'farmer') throw forbidden();
  requirePermission(session.user, 'read');
  await platform.rateLimits('reads', [userKey(session.user.id)]);
  return session.user;
}

interface File {
  name: string;
  doc: Document;
}

/** Counts what is to be drawn, for the whole farm: one file may take seconds of a processor. @throws 429 */
const limitPaper = ({ rateLimits }: Platform, farmId: string, drawn: number): Promise<void> =>
  rateLimits('paper', [farmKey(farmId)], Math.max(1, drawn));

/** Where a list is shown live. */
const liveAddress = (publicUrl: string, date: string, place: string | null): string =>
  `${publicUrl}/farmer/picklist?date=${date}${place === null ? '' : `&place=${place}`}`;

/** Reads what stands above a list: whose it is, of which place, and where it is shown live. */
async function readHead(
  { db, env }: Platform,
  farmId: string,
  { date, place }: { date: string; place: string | null },
) {
  const { name, farm } = await db.user.findUniqueOrThrow({
    where: { id: farmId },
    select: { name: true, farm: { select: { farmName: true, timeZone: true } } },
  });
  const named =
    place === null
      ? null
      : await db.place.findUnique({ where: { id: place }, select: { name: true } });
  return {
    farmName: farmNameOf({ name, farmName: farm?.farmName ?? '' }),
    placeName: named?.name ?? null,
    timeZone: farm?.timeZone ?? DEFAULT_TIME_ZONE,
    address: liveAddress(env.PUBLIC_URL, date, place),
  };
}

async function printFile(
  platform: Platform,
  farmId: string,
  id: string,
  { changes }: { changes: string },
): Promise<File> {
  const parsed = Id.safeParse(id);
  if (!parsed.success) throw notFound(msg('Print not found'));
  const print = await getPrint(platform, farmId, parsed.data);
  await limitPaper(platform, farmId, print.products.length + print.sinceLast.length);
  const hasChangesOnly = changes === 'true';
  const { printToPdf } = await import('./sheet-pdf.ts');
  return {
    name: `pick-list-${print.date}-print-${print.number}${hasChangesOnly ? '-changes' : ''}.pdf`,
    doc: printToPdf(print, {
      ...(await readHead(platform, farmId, print)),
      hasChangesOnly,
      skuOf: await readSkus(platform.db, [...print.products, ...print.sinceLast]),
    }),
  };
}

/** Reads which orders of a list are still to be handed over. */
async function readAccepted({ db }: Platform, farmId: string, query: PicklistQuery) {
  const scope = await scopeOf(db, farmId, query);
  const print = await readLastPrint(db, scope);
  const wanted = (await readIndex(db, scope, print)).filter(
    ({ status, date, placeId }) =>
      status === 'accepted' &&
      date === scope.date &&
      (scope.place === null || placeId === scope.place),
  );
  return { scope, print, wanted };
}

const linesOf = (orders: readonly PickOrder[]) => orders.flatMap(({ lines }) => lines);

async function labelsFile(
  platform: Platform,
  farmId: string,
  query: z.output<typeof LabelsQuery>,
): Promise<File> {
  const { db, env } = platform;
  const { scope, print, wanted } = await readAccepted(platform, farmId, query);
  const count =
    query.per === 'order'
      ? wanted.length
      : wanted.reduce(
          (sum, order) => sum + order.lines.filter((line) => line.quantity > 0).length,
          0,
        );
  if (count === 0) {
    throw invalidField('date', msg('There are no accepted orders to label on that day.'));
  }
  if (count > LABELS_MAX) {
    throw invalidField(
      'per',
      msg(
        'These would be {count, plural, one {# label} other {# labels}}. Print at most {most, number} at once: one place, or one label an order.',
        { count, most: LABELS_MAX },
      ),
    );
  }
  await limitPaper(platform, farmId, count);
  const { labelsOf, labelsToPdf } = await import('./label-pdf.ts');
  const ids = wanted.map(({ _id }) => _id);
  const orders = await readOrdersOf(db, scope, print, ids);
  return {
    name: `labels-${scope.date}.pdf`,
    doc: labelsToPdf(
      labelsOf(orders, query, env.PUBLIC_URL, await readSkus(db, linesOf(orders))),
      query.format,
      t('Labels {date}', { date: scope.date }),
    ),
  };
}

async function daySheetFile(
  platform: Platform,
  farmId: string,
  query: DaySheetQuery,
): Promise<File> {
  const { db, env } = platform;
  const { sheet } = query;
  const { scope, print, wanted } = await readAccepted(platform, farmId, query);
  if (wanted.length > SHEET_ORDERS_MAX) {
    throw invalidField(
      'place',
      msg(
        'That day has {count, number} orders. Print at most {most, number} at once: choose a place.',
        {
          count: wanted.length,
          most: SHEET_ORDERS_MAX,
        },
      ),
    );
  }
  const { dayToPdf, isOnSheet } = await import('./day-pdf.ts');
  const ids = wanted.map(({ _id }) => _id);
  const orders = (await readHandoversOf(db, scope, print, ids)).filter(({ address }) =>
    isOnSheet(sheet, address !== null),
  );
  if (orders.length === 0) {
    throw invalidField(
      'date',
      sheet === 'run_sheet'
        ? msg('There are no accepted deliveries on that day.')
        : msg('There are no accepted orders on that day.'),
    );
  }
  const drawn =
    sheet === 'packing_slips'
      ? orders.reduce((sum, { lines }) => sum + lines.length, 0)
      : orders.length;
  await limitPaper(platform, farmId, drawn);
  return {
    name: `${sheet.replace('_', '-')}-${scope.date}.pdf`,
    doc: dayToPdf(sheet, orders, {
      ...(await readHead(platform, farmId, scope)),
      date: scope.date,
      publicUrl: env.PUBLIC_URL,
      skuOf: await readSkus(db, linesOf(orders)),
    }),
  };
}

async function posterFile(platform: Platform, farmId: string): Promise<File> {
  const { db, env } = platform;
  await limitPaper(platform, farmId, 1);
  const farm = await db.user.findUniqueOrThrow({
    where: { id: farmId },
    select: { name: true, city: true, state: true, farm: { select: { farmName: true } } },
  });
  const { posterToPdf } = await import('./poster-pdf.ts');
  return {
    name: 'poster.pdf',
    doc: posterToPdf({
      farmName: farmNameOf({ name: farm.name, farmName: farm.farm?.farmName ?? '' }),
      town: formatTown(farm),
      address: `${env.PUBLIC_URL}/farmers/${farmId}`,
      at: new Date(),
    }),
  };
}
