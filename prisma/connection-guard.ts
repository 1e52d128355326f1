import pg from 'pg';

/** How long Postgres may leave everything unanswered before it counts as hanging, unless a process says otherwise. */
const SILENCE_MAX_MS = 1500;
/** After this silence Postgres is asked whether it is there at all. */
const PROBE_AFTER_MS = 500;
const CHECK_INTERVAL_MS = 250;
/** A check that comes this late shows that our own process stood still, and says nothing of Postgres. */
const CHECK_LATE_MS = 500;
/** What the server's own `statement_timeout` needs on top before the client gives a statement up. */
const STATEMENT_MARGIN_MS = 5000;

/** All connections are given up at most once within this time: a server may stay as it is for long. */
const RENEWAL_MIN_MS = 1000;

/** The error code of a server that takes no writes: a standby, or a primary that was told so. */
export const READ_ONLY = '25006';

/** Returns whether this is the address of a pooler that gives every transaction another session, as Prisma marks it. */
export const isTransactionPooler = (url: string): boolean =>
  new URL(url).searchParams.get('pgbouncer') === 'true';

/**
 * Returns whether an SQLSTATE says that the server cannot do what it is for: connections (class 08), resources such as
 * a full disk (53), an operator or a crash (57), its machine (58), or that it is read-only.
 */
export const isAwayState = (code: string): boolean =>
  code === READ_ONLY || /^(08|53|57|58)[0-9A-Z]{3}$/.test(code);

/** A statement that took too long, and an idle session that was ended, say nothing of the server. */
const OF_ONE_SESSION = new Set(['57014', '57P05']);

/**
 * A connection was given up because nothing came back on it. It has the form of a socket's timeout, which
 * Prisma's adapter knows. After a write its outcome is unknown.
 */
export class DatabaseHangsError extends Error {
  readonly code = 'ETIMEDOUT';
  readonly errno = -110;
  readonly syscall = 'read';
}

/** A connection was given up while nobody used it, because its server cannot do its work. */
class RetiredConnectionError extends DatabaseHangsError {}

/**
 * Distinguishes a Postgres that hangs (stopped, frozen, behind a network that drops packets) from one that is busy
 * or makes a statement wait for a lock. What counts is any answer on any connection of the process, also
 * within a handshake; while there is none and something waits, a new connection is tried, which a running server always
 * answers. Without any answer for `silenceMaxMs` every connection is destroyed, so that what waits
 * fails at once, and new connections are refused until such an attempt is answered.
 *
 * A connection on which the server said that it cannot do its work is given up: another server may have taken its place
 * at the same address. Once one is read-only, all of them are given up.
 *
 * `Client` is the class of connection that is watched, for pools and single connections alike.
 */
export function createConnectionGuard(options: {
  /** The address of Postgres itself, not of a pooler, which answers for a server that hangs. */
  directUrl: string;
  /** Whether the address is that of a pooler that gives every transaction another session. */
  sharesSessions: boolean;
  /** The server's `statement_timeout`; a connection that is silent for longer alone is destroyed too. */
  statementMaxMs: number | undefined;
  /** Milliseconds without any answer after which Postgres counts as hanging; 1500 by default. */
  silenceMaxMs?: number | undefined;
  onChange(isHanging: boolean): void;
  /** Called with the SQLSTATE when the server says that it cannot do its work; with '' when a connection is lost. */
  onRefusal(code: string): void;
}) {
  const { silenceMaxMs = SILENCE_MAX_MS } = options;
  const watched = new Set<WatchedClient>();
  let isHanging = false;
  let lastAnswerAt = performance.now();
  let lastCheckAt = lastAnswerAt;
  let isProbing = false;
  let renewedAt = Number.NEGATIVE_INFINITY;

  function noteAnswer(): void {
    lastAnswerAt = performance.now();
    if (!isHanging) return;
    isHanging = false;
    options.onChange(false);
  }

  /** Gives up a connection, or all of a server that became read-only, each when its transaction has ended. */
  function noteRefusal(client: WatchedClient, code: string): void {
    if (!isAwayState(code) || OF_ONE_SESSION.has(code)) return;
    options.onRefusal(code);
    client.retire();
    if (code === READ_ONLY) renewAll();
  }

  function renewAll(): void {
    const now = performance.now();
    if (now - renewedAt < RENEWAL_MIN_MS) return;
    renewedAt = now;
    for (const client of watched) client.retire();
  }

  class WatchedClient extends pg.Client {
    #isConnected = false;
    #outstanding = 0;
    #waitingSince: number | undefined;
    #isRetired = false;
    /** Whether somebody has it from the pool, or waits for it to open. */
    isTaken = true;

    /** Since when an answer is outstanding on this connection, if one is. */
    get waitingSince(): number | undefined {
      return this.#waitingSince;
    }

    override connect(): Promise<never>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<never> | undefined {
      if (isHanging) {
        const error = new DatabaseHangsError('Postgres does not answer.');
        if (!callback) return Promise.reject(error);
        // A pool serves its next waiter from within the callback.
        setImmediate(callback, error);
        return undefined;
      }
      watched.add(this);
      // Anyone who uses a connection learns of its loss by the query that fails. Between two queries of a
      // transaction nobody may be listening, and an unhandled error ends the process.
      this.on('error', (error) => {
        if (!(error instanceof RetiredConnectionError)) options.onRefusal('');
      });
      this.once('end', () => watched.delete(this));
      this.#waitingSince = performance.now();
      // A handshake takes several answers, which a busy machine is slow to give: each counts as an answer.
      this.connection.on('message', noteAnswer);
      this.connection.once('readyForQuery', () => this.connection.off('message', noteAnswer));
      this.connection.on('errorMessage', ({ code }) => noteRefusal(this, code ?? ''));
      // Comes once for the connection and once for each query, before its caller learns of it.
      this.connection.on('readyForQuery', () => {
        if (this.#isConnected) this.#outstanding = Math.max(0, this.#outstanding - 1);
        this.#isConnected = true;
        noteAnswer();
        this.#waitingSince = this.#outstanding > 0 ? lastAnswerAt : undefined;
      });
      // Corrects the count after a query that was never sent.
      this.on('drain', () => {
        this.#outstanding = 0;
        this.#waitingSince = undefined;
      });
      return super.connect(callback as never) as never;
    }

    override query(...args: unknown[]): never {
      this.#outstanding++;
      this.#waitingSince ??= performance.now();
      // The session that knows a statement by its name may be another one's by now.
      if (options.sharesSessions) args[0] = withoutName(args[0]);
      return (super.query as (...all: unknown[]) => never).apply(this, args);
    }

    /** Gives the connection up: at once, or when who has it from the pool gives it back. */
    retire(): void {
      this.#isRetired = true;
      if (this.isTaken || !this.#isConnected) return;
      // A pool takes out what reports an error, before anybody can get it.
      this.emit('error', new RetiredConnectionError('The connection is given up.'));
      void this.end().catch(() => {});
    }

    /** The pool removes what is ending when it is given back. */
    noteRelease(): void {
      this.isTaken = false;
      if (this.#isRetired) void this.end().catch(() => {});
    }
  }

  /** Asks with a connection of its own. The first message is an answer, also if it refuses the connection. */
  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const client = new pg.Client({
      connectionString: options.directUrl,
      connectionTimeoutMillis: silenceMaxMs,
    });
    client.on('error', () => {});
    client.connection.once('message', noteAnswer);
    try {
      await client.connect();
      void client.end().catch(() => {});
    } catch {
      client.connection.stream.destroy();
    } finally {
      isProbing = false;
    }
  }

  function check(): void {
    const now = performance.now();
    if (now - lastCheckAt > CHECK_INTERVAL_MS + CHECK_LATE_MS) lastAnswerAt = now;
    lastCheckAt = now;
    if (isHanging) {
      void probe();
      return;
    }
    let oldest: number | undefined;
    for (const client of watched) {
      const since = client.waitingSince;
      if (since === undefined) continue;
      if (oldest === undefined || since < oldest) oldest = since;
      if (now - since > (options.statementMaxMs ?? Infinity) + STATEMENT_MARGIN_MS) {
        destroy(client, 'A connection to Postgres does not answer.');
      }
    }
    if (oldest === undefined) return;
    const silentMs = now - Math.max(oldest, lastAnswerAt);
    if (silentMs > silenceMaxMs) giveUp();
    else if (silentMs > PROBE_AFTER_MS) void probe();
  }

  function giveUp(): void {
    isHanging = true;
    options.onChange(true);
    for (const client of [...watched]) destroy(client, 'Postgres does not answer.');
  }

  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();

  return {
    Client: WatchedClient,
    /** Follows which connections of a pool are in use. */
    watchPool(pool: pg.Pool): void {
      pool.on('acquire', (client) => {
        (client as unknown as WatchedClient).isTaken = true;
      });
      pool.on('release', (_, client) => (client as unknown as WatchedClient).noteRelease());
    },
    /** A session beside the pool. */
    newClient(config: pg.ClientConfig): pg.Client {
      const client = new WatchedClient(config);
      client.isTaken = false;
      return client;
    },
    isHanging: () => isHanging,
    /** Gives up every connection when its transaction has ended. At most once a second. */
    renewAll,
    close: () => clearInterval(timer),
  };
}

/** Returns a query that is not kept on the server under a name. */
const withoutName = (query: unknown): unknown =>
  query && typeof query === 'object' && 'name' in query ? { ...query, name: undefined } : query;

/** Breaks a connection, so that whatever waits on it fails. */
function destroy({ connection }: pg.Client, reason: string): void {
  connection.stream.destroy(new DatabaseHangsError(reason));
}
