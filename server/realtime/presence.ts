import { room } from '#contract/realtime';
import type { Platform } from '../platform/platform.ts';
import { isOnline, noteOffline, noteOnline, PRESENCE_RENEWAL_MS } from '../platform/presence.ts';
import type { SessionUser } from '../platform/sessions.ts';
import type { Relay, RoleCounts } from './relay.ts';

/** The room of those who want to know whether this person is there. */
export const presenceRoom = (userId: string): string => `presence:${userId}`;

/** A page that is loaded anew is gone for a moment only; who is back within this never left. */
const LEAVING_MS = 2000;
/** Counts of another process are forgotten when it no longer tells them. */
const COUNTS_LIFE_MS = 15_000;
const COUNTS_TOLD_MS = 5000;
/** Storms of coming and going become two numbers a second. */
const COUNTS_PAUSE_MS = 500;

const nobody = (): RoleCounts => ({ visitor: 0, consumer: 0, farmer: 0, admin: 0 });
const ROLES = ['visitor', 'consumer', 'farmer', 'admin'] as const;

/** Who is connected: to this process, and by what the others say, to all. */
export class Presence {
  readonly #platform: Platform;
  readonly #relay: () => Relay;
  readonly #sockets = new Map<string, { user: SessionUser; sockets: number }>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #elsewhere = new Map<string, { counts: RoleCounts; at: number }>();
  readonly #timers: NodeJS.Timeout[];
  #visitors = 0;
  #told: NodeJS.Timeout | undefined;

  /** `relay` is asked for late, since the relay itself needs to know whom to tell. */
  constructor(platform: Platform, relay: () => Relay) {
    this.#platform = platform;
    this.#relay = relay;
    this.#timers = [
      setInterval(() => void this.#renew(), PRESENCE_RENEWAL_MS),
      setInterval(() => this.#relay().sendCounts(this.#here()), COUNTS_TOLD_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** How many sockets of this person this process holds. */
  socketsOf(userId: string): number {
    return this.#sockets.get(userId)?.sockets ?? 0;
  }

  /** A socket came. */
  enter(user: SessionUser | null): void {
    if (!user) {
      this.#visitors++;
    } else {
      const known = this.#sockets.get(user.id);
      this.#sockets.set(user.id, { user, sockets: (known?.sockets ?? 0) + 1 });
      const leaving = this.#leaving.get(user.id);
      clearTimeout(leaving);
      this.#leaving.delete(user.id);
      if (!known && !leaving) void this.#came(user.id);
    }
    this.#tellCounts();
  }

  /** A socket went. */
  leave(user: SessionUser | null): void {
    if (!user) {
      this.#visitors--;
    } else {
      const known = this.#sockets.get(user.id);
      if (!known) return;
      if (--known.sockets === 0) {
        this.#sockets.delete(user.id);
        const timer = setTimeout(() => {
          this.#leaving.delete(user.id);
          void this.#left(user.id);
        }, LEAVING_MS);
        timer.unref();
        this.#leaving.set(user.id, timer);
      }
    }
    this.#tellCounts();
  }

  /** Another process told how many it holds. */
  hearCounts(processId: string, counts: RoleCounts): void {
    const before = this.#elsewhere.get(processId)?.counts;
    this.#elsewhere.set(processId, { counts, at: Date.now() });
    // A process that has not heard of us yet is told at once.
    if (!before) this.#relay().sendCounts(this.#here());
    if (!before || ROLES.some((role) => before[role] !== counts[role])) this.#tellAdmins();
  }

  /** People connected to all processes, by role. */
  counts(): RoleCounts {
    const sum = this.#here();
    for (const [processId, { counts, at }] of this.#elsewhere) {
      if (Date.now() - at > COUNTS_LIFE_MS) this.#elsewhere.delete(processId);
      else for (const role of ROLES) sum[role] += counts[role];
    }
    return sum;
  }

  /** Whether each of these people is there, and when they last were. */
  async states(userIds: readonly string[]) {
    const { db, redis, env } = this.#platform;
    const rows = await db.user.findMany({
      where: { id: { in: [...userIds] }, deletedAt: null },
      select: { id: true, lastSeenAt: true },
    });
    return Promise.all(
      rows.map(async ({ id, lastSeenAt }) => ({
        userId: id,
        online:
          this.#sockets.has(id) || (await isOnline(redis, env.REDIS_PREFIX, id).catch(() => false)),
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      })),
    );
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#told);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    // The people are not gone, they go to another process: only our own notes end.
    const { redis, env } = this.#platform;
    const held = [...this.#sockets.keys(), ...this.#leaving.keys()];
    await Promise.allSettled(
      held.map((id) => noteOffline(redis, env.REDIS_PREFIX, id, this.#relay().processId)),
    );
  }

  async #came(userId: string): Promise<void> {
    const { redis, env } = this.#platform;
    const { processId } = this.#relay();
    const isFirst = await noteOnline(redis, env.REDIS_PREFIX, userId, processId).catch(() => true);
    if (isFirst) this.#announce(userId, true, null);
  }

  async #left(userId: string): Promise<void> {
    const { redis, env, db, log } = this.#platform;
    const { processId } = this.#relay();
    const isLast = await noteOffline(redis, env.REDIS_PREFIX, userId, processId).catch(() => true);
    if (!isLast) return;
    const lastSeenAt = new Date();
    await db.user
      .updateMany({ where: { id: userId }, data: { lastSeenAt } })
      .catch((error: Error) => log.debug({ reason: error.message }, 'Last seen was not kept'));
    this.#announce(userId, false, lastSeenAt.toISOString());
  }

  #announce(userId: string, online: boolean, lastSeenAt: string | null): void {
    this.#relay().send({
      name: 'presence.changed',
      room: presenceRoom(userId),
      data: { userId, online, lastSeenAt },
    });
  }

  async #renew(): Promise<void> {
    const { redis, env } = this.#platform;
    if (!redis.isReady) return;
    const { processId } = this.#relay();
    await Promise.allSettled(
      [...this.#sockets.keys()].map((id) => noteOnline(redis, env.REDIS_PREFIX, id, processId)),
    );
  }

  #here(): RoleCounts {
    const counts = nobody();
    counts.visitor = this.#visitors;
    for (const { user } of this.#sockets.values()) counts[user.role]++;
    return counts;
  }

  #tellCounts(): void {
    this.#told ??= setTimeout(() => {
      this.#told = undefined;
      this.#relay().sendCounts(this.#here());
      this.#tellAdmins();
    }, COUNTS_PAUSE_MS);
    this.#told.unref();
  }

  #tellAdmins(): void {
    // Each process tells its own admins: the sum is the same everywhere.
    this.#relay().sendHere({
      name: 'connected.changed',
      room: room.admins,
      data: this.counts(),
    });
  }
}
