import { IMPORT_BATCH } from '#contract/catalogue/imports/constants';
import type { ApplyImport, ImportRow, ProductImport } from '#contract/catalogue/imports/imports';
import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { AppError, conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import type { FetchPicture } from './pictures.ts';
import { writeSentence } from './plan.ts';
import { readImport } from './read-goods.ts';
import { type PendingItem, type Settled, writeProducts } from './write-products.ts';

/** The kind of the timers that write files of products, part by part. */
const TIMER = 'product.import';
const timerKey = (id: string): `${typeof TIMER}:${string}` => `${TIMER}:${id}`;
/** How many pictures are fetched at once, before their products are written. */
const PICTURES_AT_ONCE = 3;

/**
 * Lets a file be written. Asked again it answers how far that is.
 * @throws 401 when the account was just deleted; 404 unknown or of another farm; 409 IMPORT_ASKS, IMPORT_HAS_REFUSED,
 *   or IMPORT_OUTDATED once a part of another file was written after this one was compared
 */
export async function applyImport(
  platform: Platform,
  user: SessionUser,
  id: string,
  { leavesOutRefused }: ApplyImport,
): Promise<ProductImport> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    // All of the farm's, so that of two files at the same moment the second one finds the first.
    const rows = await tx.$queryRaw<
      { id: string; state: string; createdAt: Date; appliedAt: Date | null }[]
    >`
      SELECT id, state, created_at AS "createdAt", applied_at AS "appliedAt" FROM product_imports
      WHERE farm_id = ${farmId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    const row = rows.find((each) => each.id === id);
    if (!row) throw notFound(msg('This import is gone. Choose the file again.'));
    if (row.state === 'asking') {
      throw conflict('IMPORT_ASKS', msg('Say first how the numbers of this file are to be read.'));
    }
    if (row.state !== 'ready') return readImport(tx, farmId, id);
    if (rows.some(({ appliedAt }) => appliedAt && appliedAt >= row.createdAt)) {
      throw conflict(
        'IMPORT_OUTDATED',
        msg('Another file was written after this one was compared. Choose the file again.'),
      );
    }
    if (!leavesOutRefused && (await hasRefused(tx, id))) {
      throw conflict(
        'IMPORT_HAS_REFUSED',
        msg('Some rows of this file are refused. Correct them, or leave them out.'),
      );
    }
    const now = await readClock(tx);
    await tx.$executeRaw`
      UPDATE product_imports SET state = 'applying', applied_at = ${now} WHERE id = ${id}::uuid`;
    await setTimer(tx, { kind: TIMER, key: timerKey(id), dueAt: now });
    await progress(tx, { id, farmId }, []);
    return readImport(tx, farmId, id);
  });
}

async function hasRefused(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM product_import_items, jsonb_array_elements(rows) AS line
    WHERE import_id = ${id}::uuid AND line ->> 'outcome' = 'refused' LIMIT 1`;
  return found.length > 0;
}

/**
 * Writes the next products of a file whose timer is due, in the transaction that has taken the timer, and sets it again
 * while there are more. Pictures elsewhere are fetched before, some at a time, while no product is locked.
 */
export async function runImport(
  fetchPicture: FetchPicture,
  key: string,
  tx: Transaction,
): Promise<void> {
  const id = key.slice(TIMER.length + 1);
  const [row] = await tx.$queryRaw<{ farmId: string; language: string }[]>`
    SELECT farm_id AS "farmId", language FROM product_imports
    WHERE id = ${id}::uuid AND state = 'applying'`;
  if (!row) return;
  const now = await readClock(tx);
  const items = await tx.$queryRaw<PendingItem[]>`
    SELECT position, product_id AS "productId", plan, rows FROM product_import_items
    WHERE import_id = ${id}::uuid AND is_pending ORDER BY position LIMIT ${IMPORT_BATCH}`;
  const isMore = await inLanguageOf(row.language || null, async () => {
    const away = items.filter(({ plan }) => isElsewhere(plan.image)).slice(0, PICTURES_AT_ONCE);
    const settled =
      away.length > 0
        ? await fetchPictures(tx, fetchPicture, { id, farmId: row.farmId }, away)
        : await writeProducts(tx, row.farmId, items);
    await settle(tx, id, settled);
    return progress(
      tx,
      { id, farmId: row.farmId },
      settled.flatMap(({ rows }) => rows),
    );
  });
  if (isMore) await setTimer(tx, { kind: TIMER, key: timerKey(id), dueAt: now });
}

const isElsewhere = (image: string | null | undefined): image is string =>
  image?.startsWith('https:') ?? false;

/** Fetches the pictures of products. Returns those whose picture is refused. */
async function fetchPictures(
  tx: Transaction,
  fetchPicture: FetchPicture,
  { id, farmId }: { id: string; farmId: string },
  items: readonly PendingItem[],
): Promise<Settled[]> {
  const settled: Settled[] = [];
  const fetched: { position: number; image: string }[] = [];
  await Promise.all(
    items.map(async ({ position, plan, rows }) => {
      try {
        fetched.push({ position, image: await fetchPicture(farmId, plan.image ?? '') });
      } catch (error) {
        // What is wrong with this process or its stores passes: the timer is run again.
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        const reason = writeSentence(error.sentence);
        const refused = rows.map((each) => ({
          ...each,
          ...{ result: 'refused' as const, column: 'image' as const, reason },
        }));
        settled.push({ position, rows: refused });
      }
    }),
  );
  await tx.$executeRaw`
    UPDATE product_import_items item SET plan = item.plan || jsonb_build_object('image', done.image)
    FROM json_to_recordset(${JSON.stringify(fetched)}::json) AS done (position int, image text)
    WHERE item.import_id = ${id}::uuid AND item.position = done.position`;
  return settled;
}

/** Notes what became of products. */
async function settle(tx: Transaction, id: string, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return;
  await tx.$executeRaw`
    UPDATE product_import_items item SET is_pending = false, rows = done.rows
    FROM json_to_recordset(${JSON.stringify(settled)}::json) AS done (position int, rows jsonb)
    WHERE item.import_id = ${id}::uuid AND item.position = done.position`;
}

/** Counts how far a file is, ends it where nothing is left, and says so. @returns whether something is left */
async function progress(
  tx: Transaction,
  { id, farmId }: { id: string; farmId: string },
  rows: readonly ImportRow[],
): Promise<boolean> {
  const [now] = await tx.$queryRaw<
    { state: ProductImport['state']; version: number; done: number; total: number }[]
  >(Prisma.sql`
    UPDATE product_imports import SET version = version + 1, applied_at = clock_timestamp(),
      state = CASE WHEN items.done = items.total THEN 'done' ELSE 'applying' END
    FROM (
      SELECT count(*) FILTER (WHERE NOT is_pending)::int AS done, count(*)::int AS total
      FROM product_import_items WHERE import_id = ${id}::uuid AND plan IS NOT NULL) items
    WHERE id = ${id}::uuid
    RETURNING state, version, done, total`);
  if (!now) return false;
  await record(tx, {
    name: 'import.progressed',
    data: {
      _id: id,
      ...now,
      rows: rows.map(({ line, result, column, reason, cells }) => ({
        line,
        ...(result ? { result } : {}),
        ...(column ? { column } : {}),
        ...(reason ? { reason } : {}),
        ...(result === 'edited' && cells ? { cells } : {}),
      })),
    },
    rooms: [room.farm(farmId)],
  });
  return now.state === 'applying';
}
