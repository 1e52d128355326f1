import { room } from '#contract/platform/events/constants';
import { ROLES } from '#contract/platform/http/constants';
import { filterMessageable, senderIdentityOf } from '../../farm/messages/people.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import {
  isOnline,
  markOffline,
  markOnline,
  PRESENCE_RENEWAL_MS,
} from '../../platform/stores/presence.ts';
import type { Relay, RoleCounts } from './relay.ts';

/** Returns the room of those who watch this person's presence. */
export const presenceRoom = (userId: string): string => `presence:${userId}`;

/** Delay before a person counts as offline, so that a reloaded page does not show. */
const OFFLINE_DELAY_MS = 2000;
/** Counts of another process expire when it stops sending them. */
const COUNTS_TTL_MS = 15_000;
const COUNTS_INTERVAL_MS = 5000;
/** Throttle: changed counts are sent at most twice a second. */
const COUNTS_THROTTLE_MS = 500;

const zeroCounts = (): RoleCounts => ({ visitor: 0, consumer: 0, farmer: 0, admin: 0 });
const KINDS = ['visitor', ...ROLES] as const;

/**
 * Tracks who is connected to this process and, by the counts of the others, to all. Anyone who may write for a
 * farm is present as the farm, so that it is online while any of them is.
 */
export class Presence {
  readonly #platform: Platform;
  readonly #relay: () => Relay;
  readonly #sockets = new Map<string, { user: SessionUser; sockets: number }>();
  /** How many sockets there are of each person or farm that can be written to. */
  readonly #voices = new Map<string, number>();
  /** By person or farm, as the two below. */
  readonly #offlineTimers = new Map<string, NodeJS.Timeout>();
  /** Those whose mark could not be removed while Redis was away. */
  readonly #pendingOffline = new Set<string>();
  readonly #countsByProcess = new Map<string, { counts: RoleCounts; at: number }>();
  readonly #timers: NodeJS.Timeout[];
  #visitors = 0;
  #countsTimer: NodeJS.Timeout | undefined;

  /** `relay` is a function because the relay and this object need each other. */
  constructor(platform: Platform, relay: () => Relay) {
    this.#platform = platform;
    this.#relay = relay;
    this.#timers = [
      setInterval(() => void this.#renew(), PRESENCE_RENEWAL_MS),
      setInterval(() => this.#relay().sendCounts(this.#localCounts()), COUNTS_INTERVAL_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Returns how many sockets of this person this process holds. */
  socketsOf(userId: string): number {
    return this.#sockets.get(userId)?.sockets ?? 0;
  }

  addSocket(user: SessionUser | null): void {
    if (!user) {
      this.#visitors++;
    } else {
      const known = this.#sockets.get(user.id);
      this.#sockets.set(user.id, { user, sockets: (known?.sockets ?? 0) + 1 });
      const { id } = senderIdentityOf(user);
      const before = this.#voices.get(id) ?? 0;
      this.#voices.set(id, before + 1);
      const offlineTimer = this.#offlineTimers.get(id);
      clearTimeout(offlineTimer);
      this.#offlineTimers.delete(id);
      if (before === 0 && !offlineTimer) void this.#goOnline(id);
    }
    this.#scheduleCounts();
  }

  removeSocket(user: SessionUser | null): void {
    if (!user) {
      this.#visitors--;
    } else {
      const known = this.#sockets.get(user.id);
      if (!known) return;
      if (--known.sockets === 0) this.#sockets.delete(user.id);
      this.#removeVoice(senderIdentityOf(user).id);
    }
    this.#scheduleCounts();
  }

  #removeVoice(id: string): void {
    const left = (this.#voices.get(id) ?? 0) - 1;
    if (left > 0) {
      this.#voices.set(id, left);
      return;
    }
    this.#voices.delete(id);
    const timer = setTimeout(() => {
      this.#offlineTimers.delete(id);
      void this.#goOffline(id);
    }, OFFLINE_DELAY_MS);
    timer.unref();
    this.#offlineTimers.set(id, timer);
  }

  /** Stores the counts of another process. */
  receiveCounts(processId: string, counts: RoleCounts): void {
    const before = this.#countsByProcess.get(processId)?.counts;
    this.#countsByProcess.set(processId, { counts, at: Date.now() });
    // A new process does not know this one's counts yet.
    if (!before) this.#relay().sendCounts(this.#localCounts());
    if (!before || KINDS.some((role) => before[role] !== counts[role])) this.#emitCountsToAdmins();
  }

  /** Returns the sockets of visitors and the people connected to all processes, by role. */
  counts(): RoleCounts {
    const sum = this.#localCounts();
    for (const [processId, { counts, at }] of this.#countsByProcess) {
      if (Date.now() - at > COUNTS_TTL_MS) this.#countsByProcess.delete(processId);
      else for (const role of KINDS) sum[role] += counts[role];
    }
    return sum;
  }

  /** Returns those people whose presence the user may see: whom they may write to. */
  watchable(user: SessionUser, userIds: readonly string[]): Promise<string[]> {
    return filterMessageable(this.#platform, senderIdentityOf(user), userIds);
  }

  /** Returns whether each of these people and farms is online, and when they last were. */
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
          this.#voices.has(id) || (await isOnline(redis, env.REDIS_PREFIX, id).catch(() => false)),
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      })),
    );
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#countsTimer);
    for (const timer of this.#offlineTimers.values()) clearTimeout(timer);
    // Remove only this process's marks: those who are here reconnect to another process.
    const { redis, env } = this.#platform;
    const held = [...this.#voices.keys(), ...this.#offlineTimers.keys()];
    await Promise.allSettled(
      held.map((id) => markOffline(redis, env.REDIS_PREFIX, id, this.#relay().processId)),
    );
  }

  async #goOnline(userId: string): Promise<void> {
    const { redis, env } = this.#platform;
    const { processId } = this.#relay();
    this.#pendingOffline.delete(userId);
    const isFirst = await markOnline(redis, env.REDIS_PREFIX, userId, processId).catch(() => true);
    if (isFirst) this.#announce(userId, true, null);
  }

  async #goOffline(userId: string): Promise<void> {
    const { redis, env, db, log } = this.#platform;
    const { processId } = this.#relay();
    const lastSeenAt = new Date();
    // Stored while they are still marked as online, so that nothing comes between the removal of the mark and what is
    // announced. Store and announce no time for a deleted account.
    const isStored = await db.user
      .updateMany({ where: { id: userId, deletedAt: null }, data: { lastSeenAt } })
      .then(({ count }) => count > 0)
      .catch((error: Error) => {
        log.debug(
          { reason: error.message },
          'Last seen time could not be stored; announcing it only',
        );
        return true;
      });
    // They are back, and were online all along for everybody else.
    if (this.#voices.has(userId)) return;
    const isLast = await markOffline(redis, env.REDIS_PREFIX, userId, processId).catch(() => {
      this.#pendingOffline.add(userId);
      return true;
    });
    if (!isLast || this.#voices.has(userId)) return;
    this.#announce(userId, false, isStored ? lastSeenAt.toISOString() : null);
    // Another process may have announced them just before this one did the contrary.
    const isBack = await isOnline(redis, env.REDIS_PREFIX, userId).catch(() => false);
    if (isBack) this.#announce(userId, true, null);
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
    if (!redis.isAnswering()) return;
    const { processId } = this.#relay();
    const held = [...this.#voices.keys()];
    const pending = [...this.#pendingOffline].filter((id) => !this.#voices.has(id));
    this.#pendingOffline.clear();
    await Promise.allSettled([
      ...held.map((id) => markOnline(redis, env.REDIS_PREFIX, id, processId)),
      ...pending.map((id) =>
        markOffline(redis, env.REDIS_PREFIX, id, processId).catch(() =>
          this.#pendingOffline.add(id),
        ),
      ),
    ]);
  }

  #localCounts(): RoleCounts {
    const counts = zeroCounts();
    counts.visitor = this.#visitors;
    for (const { user } of this.#sockets.values()) counts[user.role]++;
    return counts;
  }

  #scheduleCounts(): void {
    this.#countsTimer ??= setTimeout(() => {
      this.#countsTimer = undefined;
      this.#relay().sendCounts(this.#localCounts());
      this.#emitCountsToAdmins();
    }, COUNTS_THROTTLE_MS);
    this.#countsTimer.unref();
  }

  #emitCountsToAdmins(): void {
    // Each process emits to its own admins, since all have the same sum.
    this.#relay().sendLocally({
      name: 'connected.changed',
      room: room.admins,
      data: this.counts(),
    });
  }
}
