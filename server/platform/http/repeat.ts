import { createHash } from 'node:crypto';
import { IDEMPOTENCY_HOURS } from '#contract/platform/http/constants';
import type { Endpoint } from '#contract/platform/http/endpoint';
import { Id } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import {
  type CommandTransaction,
  withCommandId,
  withTransaction,
} from '../process/request-context.ts';
import { retryConflicts, type TransactionTimes } from '../stores/postgres.ts';
import { conflict, invalid } from './errors.ts';
import type { Platform } from './platform.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** The body of an answer. */
type Body = Record<string, unknown>;

/** A request that its client may repeat. */
interface Command {
  userId: string;
  key: string;
  /** Distinguishes a repeat from another request under the same key. */
  hash: string;
  /** The status of the answer when the command takes effect. */
  status: number;
}

/** Returns a valid `Idempotency-Key`, undefined for an empty header. @throws 400 */
export function readIdempotencyKey(header: string): string | undefined {
  if (header === '') return undefined;
  if (!IDEMPOTENCY_KEY.test(header)) {
    throw invalid(msg('An Idempotency-Key has 1 to 200 visible ASCII characters.'));
  }
  return header;
}

/** Refuses a key that was used for another request: 409. */
export const keyReused = () =>
  conflict(
    'IDEMPOTENCY_KEY_REUSED',
    msg('This Idempotency-Key already stands for another request. Use a new one.'),
  );

/** Returns the hash of a validated request: of its method, its path and all it was sent with. */
export function requestHash(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  input: { params: unknown; query: unknown; body: unknown },
): string {
  const { params, query, body } = input;
  return createHash('sha256')
    .update(JSON.stringify([method, path, params, query, body]))
    .digest('base64url');
}

/**
 * Runs `work` so that the events it records carry the key as their `commandId`. Only a UUID is passed on:
 * any other text might reveal something about the person.
 */
export function withKeyAsCommandId<T>(key: string, work: () => Promise<T>): Promise<T> {
  const { data: commandId } = Id.safeParse(key);
  return withCommandId(commandId, work);
}

/**
 * Makes a command take effect once, however often and on however many servers it is sent, and answers
 * every repeat within {@link IDEMPOTENCY_HOURS} as the first time.
 *
 * Key, effect and answer are one transaction. Its first statement inserts the key's row, so that a repeat
 * at the same moment waits for it: then it finds the answer, or, when the first attempt was rolled back or
 * its process died, a key that nobody has used. A command that is refused is rolled back as well, key
 * included: it had no effect, and may be accepted later.
 * @returns the body of the answer
 * @throws 409 when the key stands for another request, and whatever `handle` throws
 */
export async function answerOnce(
  { db }: Platform,
  command: Command,
  handle: () => Promise<Body>,
  times?: TransactionTimes,
): Promise<Body> {
  let done: (() => void)[] = [];
  try {
    const body = await retryConflicts(() =>
      db.$transaction(async (tx) => {
        if (!(await claimKey(tx, command))) return readAnswer(tx, command);
        const transaction: CommandTransaction = { tx, hasFailed: false, afterCommit: [] };
        const answer = await withTransaction(transaction, handle);
        if (transaction.hasFailed) throw new EffectFailed(answer);
        done = transaction.afterCommit;
        // As text, which the column keeps byte by byte.
        await tx.$executeRaw`
          UPDATE commands SET body = ${JSON.stringify(answer)}::json
          WHERE user_id = ${command.userId}::uuid AND key = ${command.key}`;
        return answer;
      }, times),
    );
    for (const work of done) work();
    return body;
  } catch (error) {
    if (error instanceof EffectFailed) return error.answer;
    throw error;
  }
}

/** Rolls back a command that has an answer although its effect failed: somebody else had the same. */
class EffectFailed extends Error {
  readonly answer: Body;

  constructor(answer: Body) {
    super('The command had an answer, but no effect');
    this.answer = answer;
  }
}

/**
 * Inserts the key's row, or takes over one that is too old to count. Waits for a transaction that is about
 * to do the same. @returns whether the key is this transaction's
 */
async function claimKey(tx: Transaction, { userId, key, hash, status }: Command): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    INSERT INTO commands AS known (user_id, key, request_hash, status, body)
    VALUES (${userId}::uuid, ${key}, ${hash}, ${status}::smallint, 'null')
    ON CONFLICT (user_id, key) DO UPDATE
      SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, body = EXCLUDED.body,
          created_at = now()
      WHERE known.created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS}::int)
    RETURNING 1 AS claimed`;
  return rows.length > 0;
}

/** Returns the answer that the key stands for. @throws 409 when it stands for another request */
async function readAnswer(tx: Transaction, { userId, key, hash }: Command): Promise<Body> {
  const { requestHash, body } = await tx.command.findUniqueOrThrow({
    where: { userId_key: { userId, key } },
  });
  if (requestHash !== hash) throw keyReused();
  return body as Prisma.JsonObject;
}
